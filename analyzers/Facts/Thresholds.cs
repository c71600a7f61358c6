namespace HangTriage.Facts;

/// <summary>
/// Every number that decides what becomes of a fact: what is enough, what is long, how far to look. Bounds against hostile
/// input are none of them. A page that quotes a number says it in the words that stand here.
/// </summary>
public static class Thresholds
{
    [Threshold("threads", "one thread that waits for a moment is what any lock has")]
    [Quoted("At least {0} threads wait for the lock", "HT3005")]
    public const int WaitersOfBusyOwner = 2;

    [Threshold("threads", "no thread starts, ends or loads meanwhile, or a window does not answer: one tells as much as a queue elsewhere")]
    [Quoted("For the loader lock {0} such thread is enough", "HT3005")]
    public const int TellingWaitersOfBusyOwner = 1;

    [Threshold("threads", "so many that have all hardly run do not come together by chance in one instant")]
    [Quoted("*Likely* with {0} or more such threads", "HT3005")]
    public const int WaitersForLikelyBusyOwner = 3;

    [Threshold("of the owner's CPU time", "who takes turns with the owner has used a like amount")]
    [Quoted("less than {0} of the owner's CPU time", "HT3005")]
    public const double HardlyRunShare = 0.05;

    [Threshold("threads", "threads that take turns on a lock are seldom more than a few at a time")]
    [Quoted("{0} or more threads behind", "HT3005", "HT3009")]
    [Quoted("- {0} or more threads wait in the same call", "HT8001")]
    public const int Crowd = 4;

    [Threshold("objects", "far more than finalizers that keep up leave behind between two collections")]
    [Quoted("{0} or more objects wait for their finalizer", "HT6001")]
    public const int FinalizersQueued = 10_000;

    [Threshold("threads", "one thread that waits for a semaphore is what an idle worker does")]
    [Quoted("At least {0} threads are in `SemaphoreSlim.Wait`", "HT1004")]
    public const int WaitersOfSemaphore = 2;

    [Threshold("threads", "one thread that waits for a lock without a recorded owner is what any such lock has")]
    [Quoted("{0} or more threads are found waiting for the same SRW lock", "HT3006")]
    public const int WaitersOfSrwLock = 2;

    [Threshold("workers", "a pool of one worker that waits is a worker that waits")]
    [Quoted("at least {0} of them", "HT2010")]
    public const int WorkersOfStarvedPool = 2;

    [Threshold("of the blocked workers", "where fewer wait for tasks, what the others wait for explains more")]
    [Quoted("at least {0} in a wait for a task", "HT2010")]
    public const double TaskWaitersShare = 1.0 / 2;

    [Threshold("of the workers that had an item in an earlier sample",
        "a new one completes some short items before it blocks, and one that naps in a loop uses the processor")]
    [Quoted("at least {0} of those that had an item stand", "HT2010")]
    public const double StandingWorkersShare = 3.0 / 4;

    [Threshold("blocked workers", "a growing pool makes one worker at a time: among fewer, one that is not seen may do all the work")]
    public const int WorkersPerStarting = 8;

    [Threshold("of the workers that had an item in an earlier sample",
        "where so many have completed it, the queue moves; where fewer, most requests still wait")]
    [Quoted("at least {0} of the workers that had an item then", "HT2010")]
    public const double MovingWorkersShare = 1.0 / 2;

    [Threshold("exceptions", "it is thrown once per try: one can be an accident that was handled, several mean that threads try again")]
    [Quoted("while that exception was thrown at least {0} times", "HT5001")]
    public const int ConcurrentUseErrors = 2;

    [Threshold("of CPU", "below it the clock's resolution and the work of starting a thread count too much")]
    [Quoted("at least {0} of CPU", "HT3005", "HT4001", "HT4002")]
    [Quoted("used less than {0}: a capture", "HT4002")]
    public static readonly TimeSpan LeastCpu = TimeSpan.FromSeconds(1);

    [Threshold("of the thread's life", "far above any thread that mostly waits, with room for a machine on which others compete for the processor")]
    [Quoted("{0} or more of its life", "HT3001", "HT3005", "HT4001")]
    public const double BusyShare = 1.0 / 3;

    [Threshold("of the thread's life", "where many compete for the processors a busy thread gets less; it must then dominate its process")]
    [Quoted("{0}, if that is", "HT3001", "HT3005", "HT4001")]
    [Quoted("{0} or more of its life", "HT4002")]
    public const double CrowdedShare = 1.0 / 10;

    [Threshold("of the CPU of its process", "nearly all: the one thread that does the process's work")]
    [Quoted("if that is {0} of", "HT3001", "HT3005", "HT4001")]
    [Quoted("used {0} or more of the CPU of all threads", "HT4002")]
    public const double DominantShare = 9.0 / 10;

    [Threshold("of the CPU of its process", "where the life is not recorded: more than all others together")]
    [Quoted("more than {0} of all that the process has used", "HT4001")]
    public const double ShareWithoutLife = 1.0 / 2;

    [Threshold("of the thread's life", "a thread that really sleeps cannot have used nearly all of its life")]
    [Quoted("has used {0} of its life: then it sleeps for no time", "HT4001")]
    public const double SleeplessShare = 9.0 / 10;

    [Threshold("samples", "a value that changes from round to round is another one in each of them")]
    [Quoted("in {0} or more samples", "HT4004")]
    public const int SamplesOfRound = 3;

    [Threshold("values", "what lives within one round has its old value or its new one")]
    [Quoted("more than {0} values", "HT4004")]
    public const int ValuesOfRound = 2;

    [Threshold("findings", "a program with many threads at work in as many places is busy, and a list of them tells nobody more")]
    public const int PlacesOfWork = 3;

    [Threshold("of the time between two captures", "as for a whole life")]
    [Quoted("{0} or more of the time between", "HT4001", "HT4002")]
    public const double BusyShareBetween = 1.0 / 3;

    [Threshold("of CPU between two captures", "two ticks of the system's clock: a thread that stays in its wait uses none")]
    public static readonly TimeSpan LeastWork = TimeSpan.FromMilliseconds(32);

    [Threshold("of the time between two captures", "a wait that wakes now and then to look around uses less")]
    public const double LeastWorkShare = 1.0 / 100;

    [Threshold("switches", "measured: a thread that stays in its wait has one for a stop and one for the wait that continues behind it, and at times one where others want the processor")]
    public const int SwitchesOfStop = 3;

    [Threshold("switches beyond those of the stops", "another program may have stopped it once, too")]
    public const int LeastSwitches = 3;

    [Threshold("from one wait to the next", "a thread that waits anew less often than this may have been stopped by other programs")]
    public static readonly TimeSpan LongestTurn = TimeSpan.FromSeconds(5);

    [Threshold("of being ready without running", "a quantum of Windows is some 20 ms to 180 ms, and threads of one priority take turns: a second is many rounds")]
    [Quoted("{0} or more without being switched to", "HT7001")]
    public static readonly TimeSpan ReadyForLong = TimeSpan.FromSeconds(1);

    [Threshold("before a capture and after it", "minidumps state times in whole seconds: the capture lies within, with a second to spare on each side")]
    [Quoted("{0} before the capture to", "HT1001")]
    public static readonly TimeSpan AroundCapture = TimeSpan.FromSeconds(2);

    [Threshold("without a break around a capture", "who waits for as long may have been blocked when the capture was taken, whose time is known to a second")]
    [Quoted("no wait of it lasted for {0}", "HT1001")]
    public static readonly TimeSpan WaitAroundCapture = TimeSpan.FromSeconds(1);

    [Threshold("switches around a capture", "ten in a second: far more than a stop, a debugger or a wait that looks around now and then make")]
    [Quoted("switched to {0} times", "HT1001")]
    public const int TurnsAroundCapture = 40;

    [Threshold("of waiting for a lock", "a lock is meant to be held for far less, and a capture within the wait is then no chance")]
    [Quoted("for {0} or more", "HT7002")]
    public static readonly TimeSpan WaitBehindHolder = TimeSpan.FromSeconds(1);

    [Threshold("from one waiter of a lock to the next",
        "each runs for a moment before it hands the lock on; on a busy machine the next waits for a processor")]
    [Quoted("within {0} of", "HT7002")]
    public static readonly TimeSpan HandedOn = TimeSpan.FromMilliseconds(200);

    [Threshold("of the wait", "room for interrupts and for what is preempted on a busy machine")]
    [Quoted("at least {0} of the longest wait", "HT7002")]
    public const double RanAllTheWhile = 9.0 / 10;

    [Threshold("of the thread's samples", "a sample now and then falls into an interrupt or the scheduler")]
    [Quoted("{0} of its samples", "HT7002")]
    public const double SamplesOfOnePlace = 9.0 / 10;

    [Threshold("bytes of code", "a loop of some dozens of instructions, where no symbols name the function")]
    [Quoted("within {0} bytes of code", "HT7002")]
    public const int BytesOfOnePlace = 256;

    [Threshold("of waiting for another process", "what processes ask of each other takes microseconds to milliseconds, and a capture within a wait of a second is no chance")]
    [Quoted("for {0} or more", "HT7003")]
    public static readonly TimeSpan WaitForProcess = TimeSpan.FromSeconds(1);

    [Threshold("calls", "far more than opening a program or a document takes")]
    [Quoted("{0} or more reads, writes or registry calls", "HT7004")]
    public const int StormCalls = 100_000;

    [Threshold("calls for each second that the thread ran", "at most 100 microseconds of CPU for each call: such calls are what the thread does")]
    [Quoted("{0} or more for each second", "HT7004")]
    public const int StormRate = 10_000;

    [Threshold("bytes of a call on average", "the call costs more than what it brings; programs with buffers read 4 KB and more at once")]
    [Quoted("{0} bytes or less on average", "HT7004")]
    public const int TinyCall = 512;

    [Threshold("of the time", "a thread that mostly waits is not held up by what its calls cost")]
    [Quoted("ran for at least {0} of the trace", "HT7004")]
    public const double StormRunning = 1.0 / 2;

    [Threshold("of a wait", "a person notices less as slow, not as hung")]
    [Quoted("shorter than {0}", "HT7006")]
    public static readonly TimeSpan ShortWait = TimeSpan.FromSeconds(1);

    [Threshold("waits", "what comes regularly has come three times")]
    public const int RegularWaits = 3;

    [Threshold("of the mean wait", "timers and polls are late by a little, never by as much again")]
    public const int RegularShare = 2;

    [Threshold("of trace", "what comes every second or two is then seen to come again and again")]
    public static readonly TimeSpan TraceForHealth = TimeSpan.FromSeconds(5);

    [Threshold("threads", "more reasons of the same kind tell nobody more")]
    public const int EvidenceOfTurns = 25;

    [Threshold("of the wait", "who ran for most of it worked for the answer")]
    [Quoted("ran for {0} of it", "HT7003")]
    public const double AnswerWorked = 1.0 / 2;

    [Threshold("waits", "far more than starting a program takes")]
    [Quoted("{0} or more waits", "HT7004")]
    public const int StormWaits = 10_000;

    [Threshold("waits for each second of the trace", "a wait each millisecond: what it asks for takes less than asking")]
    [Quoted("{0} or more waits for each second", "HT7004")]
    public const int StormWaitRate = 1_000;

    [Threshold("of a wait", "nothing that is asked holds it up for as long as a person would notice")]
    [Quoted("none of which lasted for {0}", "HT7004")]
    public static readonly TimeSpan StormWait = TimeSpan.FromMilliseconds(100);

    [Threshold("of the trace", "room for what begins and ends")]
    [Quoted("for {0} of the trace", "HT7005")]
    public const double YieldingShare = 9.0 / 10;

    [Threshold("yields", "nobody yields so often to let another go first")]
    [Quoted("{0} or more yields", "HT7005")]
    public const int LeastYields = 1_000;

    [Threshold("of running before a yield, on average",
        "a loop that asks and yields takes microseconds; who computes between yields takes more")]
    [Quoted("{0} or less on average", "HT7005")]
    public static readonly TimeSpan SliceOfYield = TimeSpan.FromMilliseconds(1);

    [Threshold("times readied", "fewer are no rhythm")]
    [Quoted("at least {0} times", "HT7006")]
    public const int RegularTurns = 5;

    [Threshold("of the mean time from one to the next", "measured: on a busy machine a turn of 6 ms takes some 100 ms now and then")]
    [Quoted("no more than {0} times the mean", "HT7006")]
    public const int RegularTurnShare = 50;

    [Threshold("of what the process's own threads readied it", "another who readies it as well may still do it")]
    [Quoted("{0} of the times", "HT7006")]
    public const double UsualShare = 9.0 / 10;

    [Threshold("of silence at the trace's end", "twice what a person notices")]
    [Quoted("for {0} or longer", "HT7006")]
    public static readonly TimeSpan SilenceForLong = TimeSpan.FromSeconds(2);

    [Threshold("of the longest time from one to the next", "no pause before was anything like it")]
    [Quoted("{0} times the longest pause", "HT7006")]
    public const int SilenceTimes = 10;

    [Threshold("of difference", "minidumps state times in whole seconds: starts that differ by more are those of two processes")]
    public static readonly TimeSpan StartResolution = TimeSpan.FromSeconds(1);

    [Threshold("of sleep under a lock", "after as long without an answer Windows itself calls a window's thread hung")]
    [Quoted("a sleep of {0} or longer", "HT3009")]
    public static readonly TimeSpan LongSleep = TimeSpan.FromSeconds(5);

    [Threshold("of waiting, by the target's own clocks",
        "locks are held and calls take milliseconds to some seconds; most clients give up after half a minute")]
    [Quoted("for {0} or longer, by the times that the target notes", "HT3005", "HT4004", "HT8001")]
    [Quoted("due, for {0} or longer", "HT2010")]
    public static readonly TimeSpan LongWait = TimeSpan.FromSeconds(30);

    [Threshold("from a thread's creation", "no start of a thread takes this long where the loader goes from hand to hand")]
    [Quoted("still is at its start {0} after it was created", "HT3003")]
    public static readonly TimeSpan LongThreadStart = TimeSpan.FromSeconds(10);

    [Threshold("of time limit",
        "what is meant to come is given minutes, at most half an hour: polls, orders, workers; hours and days stand for no limit")]
    [Quoted("a time limit of more than {0}", "HT8001")]
    public static readonly TimeSpan LongestLimit = TimeSpan.FromMinutes(30);

    [Threshold("of time limit, where it is known who is waited for",
        "the timeouts of locks are seconds to a few minutes; whoever waits for longer has called the program hung before")]
    public static readonly TimeSpan LongestLimitOfLock = TimeSpan.FromMinutes(5);

    [Threshold("until a timer is due", "a person notices less than this as slow, not as hung")]
    [Quoted("timers of less than {0}", "HT2003")]
    public static readonly TimeSpan ShortTimer = TimeSpan.FromSeconds(1);

    [Threshold("frames", "the runtime's own frames and inlined helpers lie between the call that waits and the top of the stack")]
    public const int FramesToClassify = 6;

    [Threshold("frames", "a thread in one place has these innermost frames of its own in both captures; further out a loop may have advanced")]
    public const int FramesToCompare = 3;

    [Threshold("frames of the program", "enough to tell hangs apart, few enough that callers of one fault share a signature")]
    public const int FramesOfSignature = 3;

    [Threshold("stacks", "a circle has two or three; of a crowd in many places some tell enough")]
    public const int StacksOfSignature = 64;

    [Threshold("managed frames", "below Main: one or two methods that it is split into")]
    public const int FramesOfIdlingMain = 2;

    [Threshold("managed frames", "Main itself, and the asynchronous Main below the one that the compiler makes")]
    public const int FramesOfMain = 2;

    [Threshold("frames", "the most that was seen between a wait and the primitive of System.Threading that it is part of, with room for its spins")]
    public const int FramesOfPrimitive = 48;

    [Threshold("frames", "SpinLock waits by a yield or a sleep a few frames below its own method")]
    public const int FramesOfSpinLock = 16;

    [Threshold("frames", "between a system call and the lock function of ntdll that it is part of lie a few frames of ntdll")]
    public const int FramesOfNativeLock = 16;
}
