using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The words for locks.</summary>
internal static class LockText
{
    /// <summary>As "monitor Cache._gate", "monitor of App.Account", "the loader lock", "critical section app.exe+0xd100".</summary>
    public static string Name(LockKind kind, LockFacts? facts)
    {
        if (facts?.Field is { } known && known.TryGet(out string? field))
        {
            return $"{Of(kind)} {MethodText.Short(field)}";
        }

        string name = facts is not null && facts.Name.TryGet(out string? text) ? text : string.Empty;
        return (kind, name) switch
        {
            (LockKind.Suspension, _) => "the stop of all threads for a garbage collection",
            (LockKind.Finalizers, _) => "the finalizer queue",
            (LockKind.ExitHandlers, _) => "the process's exit handler",
            (LockKind.ContextCall, not "") => $"the call sent to {MethodText.Type(name)}",
            (LockKind.StaticConstructor, "<Module>") => "the module initializer",
            (LockKind.StaticConstructor or LockKind.Callback, not "") => $"{Of(kind)} of {MethodText.Type(name)}",
            (LockKind.LoaderLock or LockKind.LoadInProgress, _) or (_, "") => Of(kind),
            (LockKind.Monitor or LockKind.ManagedLock or LockKind.SpinLock, _) => $"{Of(kind)} of {name}",
            (LockKind.ReaderWriterLock or LockKind.SemaphoreSlim or LockKind.ManagedEvent, _) => name,
            (LockKind.ReaderWriterLockUpgrade or LockKind.ReaderWriterLockReaders, _) => $"{Of(kind)} of {name}",
            _ => $"{Of(kind)} {name}",
        };
    }

    private static string Of(LockKind kind) => kind switch
    {
        LockKind.LoaderLock => "the loader lock",
        LockKind.LoadInProgress => "the load in progress",
        LockKind.CriticalSection => "critical section",
        LockKind.Monitor => "monitor",
        LockKind.ManagedLock => "Lock",
        LockKind.SrwLock => "SRW lock",
        LockKind.PthreadMutex => "pthread mutex",
        LockKind.PthreadReaderWriterLock => "pthread reader/writer lock",
        LockKind.Mutex => "mutex",
        LockKind.Event => "event",
        LockKind.Semaphore => "semaphore",
        LockKind.Thread => "thread handle",
        LockKind.Process => "process handle",
        LockKind.Address => "address",
        LockKind.ReaderWriterLock => "reader/writer lock",
        LockKind.ReaderWriterLockUpgrade => "upgradeable mode",
        LockKind.ReaderWriterLockReaders => "readers",
        LockKind.SemaphoreSlim => "SemaphoreSlim",
        LockKind.ManagedEvent => "managed event",
        LockKind.SpinLock => "SpinLock",
        LockKind.StaticConstructor => "the static constructor",
        LockKind.Callback => "the callback",
        LockKind.ContextCall => "the call sent to a context",
        _ => "kernel object",
    };
}
