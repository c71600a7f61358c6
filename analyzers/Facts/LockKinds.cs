namespace HangTriage.Facts;

public static class LockKinds
{
    /// <summary>A lock of .NET, which its runtime knows and the system does not.</summary>
    public static bool IsManaged(this LockKind kind)
        => kind is LockKind.Monitor or LockKind.ManagedLock or LockKind.SpinLock or LockKind.SemaphoreSlim or LockKind.ManagedEvent
            || kind.IsReaderWriter()
            || kind.IsOfRuntime();

    /// <summary>A part of a ReaderWriterLockSlim.</summary>
    public static bool IsReaderWriter(this LockKind kind)
        => kind is LockKind.ReaderWriterLock or LockKind.ReaderWriterLockUpgrade or LockKind.ReaderWriterLockReaders;

    /// <summary>What the runtime itself waits for, or makes threads wait for: no lock of the program's.</summary>
    public static bool IsOfRuntime(this LockKind kind)
        => kind is LockKind.StaticConstructor or LockKind.Finalizers or LockKind.ExitHandlers or LockKind.Callback or LockKind.ContextCall or LockKind.Suspension;

    /// <summary>What the Windows loader holds while it calls into libraries: its lock, or the load in progress.</summary>
    public static bool IsOfLoader(this LockKind kind) => kind is LockKind.LoaderLock or LockKind.LoadInProgress;
}
