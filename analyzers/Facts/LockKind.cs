namespace HangTriage.Facts;

public enum LockKind
{
    /// <summary>The critical section that the Windows loader holds while it calls DllMain.</summary>
    LoaderLock,

    /// <summary>
    /// The parallel loader's current load (Windows 10 and later), which the load owner works off; concluded from the
    /// threads' environment blocks.
    /// </summary>
    LoadInProgress,

    /// <summary>A Windows RTL_CRITICAL_SECTION.</summary>
    CriticalSection,

    /// <summary>The monitor of a managed object (C# <c>lock</c> on an object).</summary>
    Monitor,

    /// <summary>A System.Threading.Lock.</summary>
    ManagedLock,

    /// <summary>A Windows slim reader/writer lock (RTL_SRWLOCK).</summary>
    SrwLock,

    /// <summary>A mutex of the threads library of Linux (pthread_mutex_t).</summary>
    PthreadMutex,

    /// <summary>A reader/writer lock of the threads library of Linux (pthread_rwlock_t).</summary>
    PthreadReaderWriterLock,

    /// <summary>A mutex of the Windows kernel.</summary>
    Mutex,

    /// <summary>An event of the Windows kernel.</summary>
    Event,

    /// <summary>A semaphore of the Windows kernel.</summary>
    Semaphore,

    /// <summary>A thread, which is waited for until it ends.</summary>
    Thread,

    /// <summary>A process, which is waited for until it ends.</summary>
    Process,

    /// <summary>Another object of the Windows kernel that can be waited for: a timer, a completion port, a file.</summary>
    KernelObject,

    /// <summary>A value in memory whose change is waited for (WaitOnAddress).</summary>
    Address,

    /// <summary>A System.Threading.ReaderWriterLockSlim: its writer, or its readers and the thread in upgradeable mode.</summary>
    ReaderWriterLock,

    /// <summary>The upgradeable mode of a ReaderWriterLockSlim, which one thread has at a time.</summary>
    ReaderWriterLockUpgrade,

    /// <summary>The readers of a ReaderWriterLockSlim whose end the thread in upgradeable mode waits for.</summary>
    ReaderWriterLockReaders,

    /// <summary>A System.Threading.SemaphoreSlim.</summary>
    SemaphoreSlim,

    /// <summary>A managed object that any thread can signal: a ManualResetEventSlim, a CountdownEvent, a Barrier.</summary>
    ManagedEvent,

    /// <summary>A System.Threading.SpinLock, for which threads spin and never block.</summary>
    SpinLock,

    /// <summary>The static constructor of a type (its type initializer), which the thread holds that runs it.</summary>
    StaticConstructor,

    /// <summary>The finalizers that are due: the finalizer thread holds them while it runs one.</summary>
    Finalizers,

    /// <summary>The handlers of the process's exit (AppDomain.ProcessExit): the finalizer thread holds them while it runs one.</summary>
    ExitHandlers,

    /// <summary>A callback of a timer or of a cancellation token, which the thread holds that runs it.</summary>
    Callback,

    /// <summary>What is sent to a synchronization context or a user interface: the thread that alone runs it holds it.</summary>
    ContextCall,

    /// <summary>The stop of all threads for a garbage collection: the thread holds it that does not stop.</summary>
    Suspension,
}
