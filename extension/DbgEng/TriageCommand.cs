using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.DbgEng;

/// <summary>The !triage command: captures the session's process, judges it and prints the verdict.</summary>
internal sealed class TriageCommand(DebugSession session)
{
    private const uint UserClass = 2;
    private const uint KernelClass = 1;
    private const uint StatusBreak = 6;

    /// <returns>An HRESULT; what failed has been printed as one line.</returns>
    public int Run(string arguments)
    {
        using EngineOutput output = new(session.Control, EngineOutput.Normal);
        string[] words = arguments.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        if (words.Any(word => word is "-help" or "--help" or "-?" or "/?"))
        {
            output.Write(Usage.Text);
            return HResult.Ok;
        }

        if (words.Length > 0)
        {
            return Refuse($"unknown argument {words[0]}; try !triage -help", HResult.InvalidArgument);
        }

        if (WhyNoTarget() is { } reason)
        {
            return Refuse(reason.Why, reason.Result);
        }

        try
        {
            TriageResult result = Triage.Judge(Capture());
            TextReport.Write(result, output);
            return result.HasFailedRule ? HResult.Fail : HResult.Ok;
        }
        catch (OperationCanceledException)
        {
            return Refuse("stopped", HResult.Abort);
        }
        catch (TargetOpenException e)
        {
            return Refuse(e.Message, HResult.BadFormat);
        }
    }

    private ProcessSnapshot Capture()
    {
        using InterruptWatch watch = new(session);
        CaptureContext context = new(CaptureLimits.Default, null, watch.Token);
        return WindowsCapture.Read(new DbgEngProcess(session, Architecture(), context), context);
    }

    private (string Why, int Result)? WhyNoTarget()
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

    private TargetArchitecture Architecture()
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

    private int Refuse(string why, int result)
    {
        using EngineOutput error = new(session.Control, EngineOutput.Error);
        error.WriteLine($"triage: {why}");
        return result;
    }
}
