using HangTriage.Capture;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>What the session is on, and whether it can be looked at.</summary>
internal static class SessionTarget
{
    private const uint UserClass = 2;
    private const uint KernelClass = 1;
    private const uint StatusBreak = 6;

    /// <summary>Null where there is a process that holds still.</summary>
    public static (string Why, int Result)? WhyNone(DebugSession session)
    {
        if (session.Control.GetDebuggeeType(out uint debuggee, out _) < 0 || debuggee is not (UserClass or KernelClass))
        {
            return ("there is no process to look at: open a dump or attach first", HResult.NotReady);
        }

        if (debuggee == KernelClass)
        {
            return ("this is a kernel target; !triage judges user-mode processes", HResult.BadFormat);
        }

        return session.Control.GetExecutionStatus(out uint status) < 0 || status != StatusBreak
            ? ("the process runs; break in first (Ctrl+Break)", HResult.NotReady)
            : null;
    }

    /// <exception cref="TargetOpenException">It is none that can be judged.</exception>
    public static TargetArchitecture Architecture(DebugSession session)
    {
        if (session.Control.GetActualProcessorType(out uint machine) < 0)
        {
            throw new TargetOpenException("the debugger does not know the target's processor");
        }

        return machine switch
        {
            0x8664 => TargetArchitecture.X64,
            0x014C => TargetArchitecture.X86,
            0xAA64 => TargetArchitecture.Arm64,
            0x01C4 => TargetArchitecture.Arm,
            _ => throw new TargetOpenException($"processor type 0x{machine:x} is not one that can be judged"),
        };
    }
}
