using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>Reads native frames by what is known of Windows.</summary>
internal static class NativeCalls
{
    /// <summary>The state that a system call of Windows stands for; null for other functions.</summary>
    public static ThreadActivity? StateOf(FrameFacts frame)
        => frame.Kind == FrameKind.Native ? CallStates.Of(WindowsCalls.Find(frame.Method)) : null;

    /// <summary>
    /// The function of the system's layers on top of the stack that gives the time slice away; null where there is none.
    /// A thread that does so again and again is now and then caught in it just before or behind the system call.
    /// </summary>
    public static FrameFacts? YieldOf(IReadOnlyList<FrameFacts> frames)
        => frames.TakeWhile(SystemLayers.Contain).FirstOrDefault(frame => WindowsFunctions.Find(frame)?.Meaning == CallMeaning.Yields);

    /// <summary>COM's wait of a single-threaded apartment: for handles, and messages are answered meanwhile.</summary>
    public static bool WaitsWhilePumping(FrameFacts frame) => WindowsFunctions.Find(frame)?.Meaning == CallMeaning.WaitsAndPumps;

    public static bool EntersLock(FrameFacts frame) => LockCalls.Find(frame) is not null;

    public static bool EntersLoader(FrameFacts frame) => LoaderCalls.Find(frame) is not null;

    public static bool IsNtdll(FrameFacts frame) => WindowsModules.IsNtdll(frame);

    /// <summary>What lies between a managed call and the system call that it ends in: the system's layers and the runtime.</summary>
    public static bool IsWayOut(FrameFacts frame)
        => frame.Kind == FrameKind.Native && (SystemLayers.Contain(frame) || WindowsModules.IsRuntime(frame));
}
