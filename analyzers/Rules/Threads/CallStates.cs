using HangTriage.Facts.Calls;

namespace HangTriage.Rules.Threads;

/// <summary>What a thread does that is in a call.</summary>
internal static class CallStates
{
    /// <summary>The state that a system call of that name stands for, of Windows or of Linux; null for other names.</summary>
    public static ThreadActivity? OfSystemCall(string name) => Of(WindowsCalls.Find(name) ?? LinuxCalls.Table.Find(name));

    /// <summary>Null for a call that is not known, or that says nothing of the thread's state.</summary>
    public static ThreadActivity? Of(KnownCall? call) => call?.Meaning switch
    {
        CallMeaning.ReturnsAtOnce or CallMeaning.FailsFast => ThreadActivity.Running,
        CallMeaning.Yields => ThreadActivity.Yielding,
        CallMeaning.Sleeps => ThreadActivity.Sleeping,
        CallMeaning.EntersLock => ThreadActivity.WaitsForLock,
        CallMeaning.WaitsForObject or CallMeaning.WaitsForFinalizers or CallMeaning.WaitsForExitHandlers => ThreadActivity.WaitsForObject,
        CallMeaning.WaitsForIo => ThreadActivity.WaitsForIo,
        CallMeaning.WaitsForAnswer => ThreadActivity.WaitsForAnswer,
        CallMeaning.WaitsForMessage => ThreadActivity.WaitsForMessage,
        CallMeaning.IdlesInPool => ThreadActivity.IdlePoolWorker,
        _ => null,
    };
}
