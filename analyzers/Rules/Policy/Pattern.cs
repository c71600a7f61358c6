using HangTriage.Rules.Loader;
using HangTriage.Rules.Locks;

namespace HangTriage.Rules.Policy;

/// <summary>What a rule can have seen. A cell of the policy can name several.</summary>
[Flags]
public enum Pattern : ulong
{
    None = 0,

    /// <summary>Threads wait for each other through managed locks, or for each other's end.</summary>
    ManagedLockCycle = 1UL << 0,

    /// <summary>The same through native locks, alone or mixed with managed ones.</summary>
    NativeLockCycle = 1UL << 1,

    /// <summary>Threads and tasks wait for each other.</summary>
    TaskCycle = 1UL << 2,

    /// <summary>A thread waits for a task that has to continue on that thread.</summary>
    ContextCycle = 1UL << 3,

    /// <summary>The owner of the loader waits in a callback while others need the loader.</summary>
    LoaderCallout = 1UL << 4,

    /// <summary>A window message cannot be answered before its sender continues.</summary>
    MessageCycle = 1UL << 5,

    /// <summary>A lock whose owner has ended.</summary>
    OrphanedLock = 1UL << 6,

    /// <summary>A load of the Windows loader whose owner has ended.</summary>
    AbandonedLoad = 1UL << 7,

    /// <summary>A lock's owner sleeps without end.</summary>
    OwnerSleepsForEver = 1UL << 8,

    /// <summary>A lock's owner sleeps for long.</summary>
    OwnerSleepsLong = 1UL << 9,

    /// <summary>A lock's owner has returned to its pool without releasing the lock.</summary>
    OwnerBackInPool = 1UL << 10,

    /// <summary>A lock's owner waits for its next item, in code that takes no lock and gives none back.</summary>
    OwnerBackInLoop = 1UL << 63,

    /// <summary>A lock's owner is suspended.</summary>
    OwnerSuspended = 1UL << 11,

    /// <summary>A lock's owner waits for a window message.</summary>
    OwnerWaitsForMessage = 1UL << 12,

    /// <summary>A lock's owner waits for input or output.</summary>
    OwnerWaitsForIo = 1UL << 13,

    /// <summary>A lock's owner computes.</summary>
    OwnerComputes = 1UL << 14,

    /// <summary>The loader's owner spins.</summary>
    LoaderOwnerSpins = 1UL << 15,

    /// <summary>A thread that others wait for spins.</summary>
    OwnerSpins = 1UL << 16,

    /// <summary>A thread spins that nobody is seen to wait for.</summary>
    SpinsAlone = 1UL << 17,

    /// <summary>A thread computes that nobody is seen to wait for.</summary>
    ComputesAlone = 1UL << 18,

    /// <summary>A thread was caught computing that others wait for, that is Main, or that is the only one at work.</summary>
    AtWork = 1UL << 38,

    /// <summary>
    /// A thread holds a lock that others wait for, and goes round a loop that naps and asks again, in which nothing changes.
    /// </summary>
    AsksUnderLock = 1UL << 43,

    /// <summary>A loop follows references that lead in a circle.</summary>
    WalksInCircle = 1UL << 39,

    /// <summary>A promise that nothing is left to complete.</summary>
    NeverCompletedTask = 1UL << 19,

    /// <summary>The process does not end: its last thread waits.</summary>
    ExitWait = 1UL << 20,

    /// <summary>All workers of the thread pool are blocked, and work is queued behind them.</summary>
    PoolStarved = 1UL << 21,

    /// <summary>The same, where nothing tells whether the workers wait for what is queued.</summary>
    PoolBlocked = 1UL << 22,

    /// <summary>A user-interface thread blocks on work that makes progress elsewhere.</summary>
    UiWaitsForWork = 1UL << 23,

    /// <summary>A window message without an answer.</summary>
    UnansweredMessage = 1UL << 24,

    /// <summary>A call through COM, RPC or a port without an answer.</summary>
    UnansweredCall = 1UL << 25,

    /// <summary>Threads run in circles on a broken hash table.</summary>
    BrokenTableInUse = 1UL << 26,

    /// <summary>A broken hash table that no thread is seen to be stuck on.</summary>
    BrokenTable = 1UL << 27,

    /// <summary>Several threads are inside one hash table, and one changes it.</summary>
    ConcurrentTableUse = 1UL << 28,

    /// <summary>Every entry of a semaphore is taken, and nothing records by whom.</summary>
    ExhaustedSemaphore = 1UL << 29,

    /// <summary>Threads wait for an SRW lock that does not record its owner.</summary>
    SrwConvoy = 1UL << 30,

    /// <summary>A thread that matters, or several, wait for another process, a server, a device or a person.</summary>
    OutsideRequest = 1UL << 40,

    /// <summary>A thread waits for a child whose redirected output nobody reads.</summary>
    UnreadOutput = 1UL << 41,

    /// <summary>Async methods wait for a semaphore, and nobody is seen who would release it.</summary>
    AsyncLockLost = 1UL << 42,

    /// <summary>A signal, a promise, an entry or an item that nothing which runs can bring.</summary>
    LostSignal = 1UL << 50,

    /// <summary>Threads or async methods each wait for what another of them has to bring.</summary>
    SignalCycle = 1UL << 51,

    /// <summary>A host does not start or stop: a service waits for what nobody is seen to end.</summary>
    HostStuck = 1UL << 52,

    /// <summary>Others wait for a static constructor, a finalizer or a callback that waits for what nobody is seen to end.</summary>
    RuntimeStuck = 1UL << 53,

    /// <summary>The finalizer thread waits for such, and nobody waits for it.</summary>
    FinalizerBlocked = 1UL << 54,

    /// <summary>The runtime wants to stop all threads, and one does not stop.</summary>
    SuspensionHeldUp = 1UL << 55,

    /// <summary>A loop waits until an object is collected, as that of an unload, and something keeps the object.</summary>
    CollectionHeldUp = 1UL << 37,

    /// <summary>
    /// The input was written because the process ended by its own doing: an exception that nothing handled, or a fatal signal.
    /// </summary>
    Crashed = 1UL << 44,

    /// <summary>A loop waits for a field that nobody is left to change.</summary>
    PollForNobody = 1UL << 56,

    /// <summary>A loop tries for a lock of the program's own making that nobody is left to give back.</summary>
    SpinLockLost = 1UL << 57,

    /// <summary>Async methods wait for a connection of a pool of which every one is taken, and none works.</summary>
    PoolUsedUp = 1UL << 58,

    /// <summary>A trace shows a thread ready for long while others ran.</summary>
    ReadyNotRun = 1UL << 59,

    /// <summary>A trace shows who let threads go that wait for a lock, and that it ran all the while.</summary>
    HolderInTrace = 1UL << 60,

    /// <summary>A trace shows that a thread of another process ended a long wait.</summary>
    AnswerInTrace = 1UL << 61,

    /// <summary>A trace shows a thread that runs in very many small calls.</summary>
    CallStorm = 1UL << 62,

    /// <summary>A trace shows a thread that yields again and again and never waits.</summary>
    YieldsInCircles = 1UL << 45,

    /// <summary>A trace shows a thread that another readied regularly, and then never again.</summary>
    PartnerStopped = 1UL << 46,

    /// <summary>Nothing was found, and a wait or something that judging needs is not explained.</summary>
    NothingFoundHalfBlind = 1UL << 31,

    /// <summary>Nothing was found, and everything that judging needs was there.</summary>
    NothingFound = 1UL << 32,

    /// <summary>No rule explains a wait for a signal.</summary>
    SignalOfUnknownEnd = 1UL << 33,

    /// <summary>The same for a wait for a task.</summary>
    TaskOfUnknownEnd = 1UL << 34,

    /// <summary>The same for a wait for something outside the process.</summary>
    OutsideOfUnknownEnd = 1UL << 35,

    /// <summary>The same for a wait for the runtime itself.</summary>
    RuntimeOfUnknownEnd = 1UL << 36,
}
