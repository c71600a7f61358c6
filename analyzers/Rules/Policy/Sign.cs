namespace HangTriage.Rules.Policy;

/// <summary>What was seen beside a pattern that makes it surer or weaker. A cell of the policy can ask for several.</summary>
[Flags]
public enum Sign : long
{
    None = 0,

    /// <summary>Thread list, environment block and lock disagree.</summary>
    Contradiction = 1 << 0,

    /// <summary>The input lost something that is read for the judgement.</summary>
    Loss = 1 << 19,

    /// <summary>Several threads wait for the same thing.</summary>
    Crowd = 1 << 1,

    /// <summary>It is the program's Main that waits, and nobody waits for Main.</summary>
    MainWaits = 1 << 2,

    /// <summary>Main itself waits for the promise itself.</summary>
    MainWaitsDirectly = 1 << 3,

    /// <summary>The thread has burned CPU: for much of its life, or since an earlier sample.</summary>
    BurnsCpu = 1 << 4,

    /// <summary>The thread's CPU time was read, and is a small part of its life.</summary>
    LittleCpu = 1 << 5,

    /// <summary>The thread was at this place in an earlier sample.</summary>
    SamePlaceBefore = 1 << 6,

    /// <summary>An earlier sample shows the thread elsewhere.</summary>
    ElsewhereBefore = 1 << 7,

    /// <summary>The pool has as many workers as it may have.</summary>
    PoolIsFull = 1 << 8,

    /// <summary>The pool's own log says that it starved.</summary>
    PoolLoggedIt = 1 << 9,

    /// <summary>A worker's wait was followed to an item that is queued for the pool.</summary>
    LeadsToQueue = 1 << 10,

    /// <summary>The owner waits for the end of a thread that waits for the loader.</summary>
    JoinsWaiter = 1 << 11,

    /// <summary>A thread that waits is at its start or its end, which need the loader.</summary>
    WaiterStartsOrEnds = 1 << 12,

    /// <summary>Every timer that is waited for is short.</summary>
    ShortTimers = 1 << 13,

    /// <summary>Threads are seen inside the table.</summary>
    ThreadsInside = 1 << 14,

    /// <summary>The objects of their frames prove that they are.</summary>
    InsideProven = 1 << 15,

    /// <summary>No frame of the threads at the table could be found.</summary>
    NoFrames = 1 << 16,

    /// <summary>The table's layout is assumed by the names of its fields.</summary>
    AssumedLayout = 1 << 17,

    /// <summary>Others wait without a timeout for a lock that the thread holds.</summary>
    HoldsLock = 1 << 24,

    /// <summary>Static fields lead to what is waited for, and nothing runs that could use them.</summary>
    InStatic = 1 << 27,

    /// <summary>So many objects wait for their finalizer that no finalizer has run for long.</summary>
    Backlog = 1 << 26,

    /// <summary>A frame names the method that changes the table.</summary>
    WriterNamed = 1 << 18,

    /// <summary>Whoever waits in the circle goes round a loop that gives its lock back, takes it and tries again.</summary>
    TriesAgain = 1 << 28,

    /// <summary>It was still so when the capture was taken, or when the trace ended.</summary>
    StillSo = 1 << 21,

    /// <summary>The thread's rank was recorded, and is worse than that of every thread that ran.</summary>
    WorseRank = 1 << 22,

    /// <summary>A trace shows threads running that would be stuck if the finding were right.</summary>
    RunsInTrace = 1 << 23,

    /// <summary>Nearly all samples of the thread in the trace are in one function.</summary>
    OnePlace = 1 << 25,

    /// <summary>The trace shows that the thread gives its processor away again and again.</summary>
    YieldsInTrace = 1 << 29,

    /// <summary>Main, a user interface, the only thread of the program, or one that others wait for.</summary>
    Depended = 1 << 30,

    /// <summary>A trace was given, and no capture.</summary>
    TraceAlone = 1L << 40,

    /// <summary>Why the thread waits, or what the other process does meanwhile, shows that it waits for an answer, not for a request.</summary>
    AnswerAwaited = 1L << 41,

    /// <summary>No other thread of the process runs for more than a moment.</summary>
    NobodyElseRuns = 1L << 42,

    /// <summary>Who used to ready the thread runs since.</summary>
    PartnerRuns = 1L << 43,

    /// <summary>Who used to ready the thread has ended.</summary>
    PartnerEnded = 1L << 44,

    /// <summary>Who used to ready the thread is of another process.</summary>
    PartnerOutside = 1L << 45,

    /// <summary>What used to come came from a device: that nothing comes any more can be that nothing is asked.</summary>
    FromOutside = 1L << 46,

    /// <summary>In every sample the thread is in the same call, and nothing that the program works with there has changed.</summary>
    StaysInCall = 1L << 31,

    /// <summary>Work that a library or .NET has given to the program leads to what is waited for, and ends by itself.</summary>
    WorkUnderWay = 1L << 49,

    /// <summary>Who waits is inside the only method that could end the wait, below a loop that calls it again and again.</summary>
    GivenByItself = 1L << 50,

    /// <summary>Who tries for a lock of the program's own making has taken it itself.</summary>
    TakenByItself = 1L << 55,

    /// <summary>Nobody who is alive has any of what would have to be given back.</summary>
    Forgotten = 1L << 54,

    /// <summary>All of what would have to be given back only those have who wait for more of it.</summary>
    LentToWaiters = 1L << 57,

    /// <summary>The only code that ends the wait has ended with an exception.</summary>
    GiverFailed = 1L << 53,

    /// <summary>Transactions of this process in the database come and go, and none is open.</summary>
    SharedHere = 1L << 52,

    /// <summary>Every request that the process works on waits for another one of its own.</summary>
    RequestsInCircle = 1L << 51,

    /// <summary>What still moves in the process only looks, counts and prints.</summary>
    NothingActs = 1L << 48,

    /// <summary>The thread goes round a loop, and nothing that it works with has changed between the samples.</summary>
    RoundUnchanged = 1L << 32,

    /// <summary>By the times that the target notes, what waits has waited for long.</summary>
    WaitsLong = 1L << 33,

    /// <summary>By the times that the target notes, nobody who waits for the lock has got it for long.</summary>
    Starves = 1L << 34,

    /// <summary>Workers of the pool that had an item in an earlier sample have completed it since, most of them.</summary>
    WorkersMove = 1L << 35,

    /// <summary>Most workers of the pool are in the same item, at the same place, as in an earlier sample.</summary>
    WorkersStand = 1L << 36,

    /// <summary>Hardly a worker of an earlier sample has moved, and nothing outside the pool is known that could end their waits.</summary>
    NothingTaken = 1L << 37,

    /// <summary>Nothing but their number makes the threads matter: workers of the pool, for which nobody waits.</summary>
    OnlyCrowd = 1L << 38,

    /// <summary>
    /// Between the samples something that the thread works with has changed, or three of them do not show it stand still.
    /// </summary>
    MakesProgress = 1L << 39,

    /// <summary>What it has written to the other side is still in its own buffer.</summary>
    Unsent = 1L << 56,

    /// <summary>The process itself is to answer the request.</summary>
    ToItself = 1L << 47,

    /// <summary>The user, or the time limit of a test runner, says that the process hangs.</summary>
    SaidToHang = 1 << 20,
}
