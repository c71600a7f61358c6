using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Policy;

/// <summary>The words for the cells of the policy.</summary>
internal static class PatternText
{
    public static string Of(Pattern pattern) => pattern switch
    {
        Pattern.ManagedLockCycle => "threads wait in a circle for locks of .NET, for what its runtime runs, or for each other's end",
        Pattern.NativeLockCycle => "threads wait in a circle for native locks, alone or mixed with locks of .NET",
        Pattern.TaskCycle => "threads and tasks wait in a circle",
        Pattern.ContextCycle => "a thread waits for a task that has to continue on that thread",
        Pattern.LoaderCallout => "the loader's owner waits in DllMain or another callback while others need the loader",
        Pattern.MessageCycle => "a window message cannot be answered before its sender continues",
        Pattern.OrphanedLock => "threads wait for a lock whose owner has ended",
        Pattern.AbandonedLoad => "threads wait for a load of the Windows loader whose owner has ended",
        Pattern.OwnerSleepsForEver => "a lock's owner sleeps without end",
        Pattern.OwnerSleepsLong => "a lock's owner sleeps for long",
        Pattern.OwnerBackInPool => "a lock's owner has returned to its pool",
        Pattern.OwnerSuspended => "a lock's owner is suspended",
        Pattern.OwnerWaitsForMessage => "a lock's owner waits for a window message",
        Pattern.OwnerWaitsForIo => "a lock's owner waits for input or output",
        Pattern.OwnerComputes => "a lock's owner computes",
        Pattern.LoaderOwnerSpins => "the loader's owner spins while others need the loader",
        Pattern.OwnerSpins => "a thread that others wait for spins",
        Pattern.SpinsAlone => "a thread spins, and nobody is seen to wait for it",
        Pattern.ComputesAlone => "one thread does all the computing, and nobody is seen to wait for it",
        Pattern.AtWork => "a thread computes that others wait for, that is Main, or that is the only one at work",
        Pattern.AsksUnderLock => "a lock's owner goes round a loop that naps and asks again, and nothing changes in it",
        Pattern.WalksInCircle => "a loop follows references that lead in a circle",
        Pattern.NeverCompletedTask => "threads wait for a task that nothing is left to complete",
        Pattern.ExitWait => "the last thread waits while it ends the process",
        Pattern.PoolStarved => "every worker of the thread pool is blocked, and work is queued behind them",
        Pattern.PoolBlocked => "the same, and nothing tells whether the workers wait for what is queued",
        Pattern.UiWaitsForWork => "a user-interface thread blocks on work that makes progress elsewhere",
        Pattern.UnansweredMessage => "a window message has no answer",
        Pattern.UnansweredCall => "a call through COM, RPC or a port has no answer, and others wait for the caller",
        Pattern.BrokenTableInUse => "threads run in circles on a broken hash table",
        Pattern.BrokenTable => "a hash table is broken, and no thread is seen to be stuck on it",
        Pattern.ConcurrentTableUse => "several threads are inside one hash table, and one of them changes it",
        Pattern.ExhaustedSemaphore => "threads wait for a semaphore of which every entry is taken",
        Pattern.SrwConvoy => "threads wait for an SRW lock that does not record its owner",
        Pattern.OutsideRequest => "a thread that others depend on waits for another process, a server, a device or a person",
        Pattern.UnreadOutput => "a thread waits for a child process whose redirected output nobody reads",
        Pattern.HostStuck => "a host does not start or stop, because a service waits for what nobody is seen to end",
        Pattern.RuntimeStuck => "a static constructor, a finalizer, a callback or a handler that others wait for waits for what nobody is seen to end",
        Pattern.CollectionHeldUp => "a thread waits in a loop until an object is collected or a load context is unloaded, and something keeps it",
        Pattern.FinalizerBlocked => "the finalizer thread waits for what nobody is seen to end, and nobody waits for it",
        Pattern.SuspensionHeldUp => "the runtime wants to stop all threads, and one of them does not stop",
        Pattern.NothingFoundHalfBlind => "nothing was found, and something that judging needs is missing or unexplained",
        Pattern.AsyncLockLost => "async methods wait for a semaphore, and nobody is seen who would release it",
        Pattern.LostSignal => "threads or async methods wait for what nothing that runs can bring",
        Pattern.SignalCycle => "threads or async methods each wait for what another of them has to bring",
        Pattern.ReadyNotRun => "a trace shows a thread ready for long while others ran",
        Pattern.HolderInTrace => "a trace shows who let threads go that wait for a lock, and that it ran all the while",
        Pattern.AnswerInTrace => "a trace shows that another process ended the long wait of a thread",
        Pattern.CallStorm => "a trace shows a thread that runs in very many small calls, and nobody is seen to wait for it",
        Pattern.YieldsInCircles => "a trace shows a thread that yields again and again and never waits",
        Pattern.PartnerStopped => "a trace shows a thread that another readied regularly, and then never again",
        Pattern.PoolUsedUp => "async methods wait for a connection of a pool of which every one is taken, and none of them works",
        Pattern.PollForNobody => "a loop waits for a field that nobody is left to change",
        Pattern.SpinLockLost => "a loop tries for a spin lock that nobody is left to give back",
        Pattern.SignalOfUnknownEnd => "a thread waits for a signal, and who sends it is unknown",
        Pattern.TaskOfUnknownEnd => "a thread waits for a task, and when that completes is unknown",
        Pattern.OutsideOfUnknownEnd => "a thread waits for something outside the process, and when that answers is unknown",
        Pattern.RuntimeOfUnknownEnd => "a thread waits for the runtime, and when that lets it continue is unknown",
        Pattern.Crashed => "the process crashed, and the input was written for that",
        Pattern.NothingFound => "nothing was found, and everything that judging needs was there",
        _ => throw new ArgumentOutOfRangeException(nameof(pattern), pattern, "a pattern without words"),
    };

    public static string Of(Sign sign) => sign switch
    {
        Sign.Contradiction => "thread list, environment blocks and locks contradict each other",
        Sign.Loss => "the input is damaged or cut off",
        Sign.Crowd => "several threads wait",
        Sign.MainWaits => "it is Main that waits, and nobody waits for Main",
        Sign.MainWaitsDirectly => "Main itself waits for the promise itself",
        Sign.BurnsCpu => "the thread burns CPU",
        Sign.LittleCpu => "the thread has used little CPU",
        Sign.SamePlaceBefore => "an earlier sample shows the thread at this place",
        Sign.ElsewhereBefore => "an earlier sample shows the thread elsewhere",
        Sign.PoolIsFull => "the pool can have no more workers",
        Sign.PoolLoggedIt => "the pool's log says that it starved",
        Sign.LeadsToQueue => "a worker's wait leads to work that only the pool itself does",
        Sign.OnlyCrowd => "nothing but the number of workers of the pool that wait makes it matter",
        Sign.ToItself => "the process itself is to answer",
        Sign.WorkersMove => "its workers have completed the items that they had in an earlier sample, most of them",
        Sign.WorkersStand => "most of its workers are in the same item, at the same place, as in an earlier sample",
        Sign.NothingTaken
            => "hardly a worker has moved since an earlier sample, and nothing outside the pool is known to end their waits",
        Sign.JoinsWaiter => "the owner waits for the end of a thread that needs the loader",
        Sign.WaiterStartsOrEnds => "a waiter is a thread at its start or end",
        Sign.ShortTimers => "it waits for short timers alone",
        Sign.ThreadsInside => "threads are inside the table, or at the exception that it leads to",
        Sign.InsideProven => "the objects of their frames prove that threads are inside",
        Sign.NoFrames => "no frame of the threads could be found",
        Sign.AssumedLayout => "the table's layout is assumed",
        Sign.TriesAgain => "every thread of it tries again in a loop",
        Sign.StillSo => "it was still so when the capture was taken, or when the trace ended",
        Sign.WorseRank => "its rank is worse than that of every thread that ran",
        Sign.TraceAlone => "there is a trace and no capture",
        Sign.AnswerAwaited => "why it waits, or the work of the other process in that time, shows that it waits for an answer",
        Sign.NobodyElseRuns => "no other thread of the process makes progress",
        Sign.PartnerRuns => "who readied it runs since",
        Sign.PartnerEnded => "who readied it has ended",
        Sign.PartnerOutside => "who readied it is of another process",
        Sign.FromOutside => "what came regularly came from outside the process",
        Sign.RunsInTrace => "a trace shows a thread of it running around the capture",
        Sign.OnePlace => "nearly all of its samples are in one place",
        Sign.YieldsInTrace => "it gives its processor away again and again",
        Sign.Depended => "it is Main, a user interface, the only thread of the program, or one that others wait for",
        Sign.WaitsLong => $"by the times that the target notes, what waits has waited for {Durations.Of(Thresholds.LongWait)} or longer",
        Sign.Starves
            => $"by the times that the target notes, no waiter has got the lock for {Durations.Of(Thresholds.LongWait)} or longer",
        Sign.StaysInCall => "in every sample it is in the same call, and nothing that the program works with there has changed",
        Sign.RoundUnchanged => "it goes round and round, and nothing that its loop works with has changed between the samples",
        Sign.MakesProgress => "what it works with has changed between the samples, or three of them do not show it stand still",
        Sign.WorkUnderWay => "work that a library has given to the program leads to what is waited for",
        Sign.SharedHere => "the process locks the database itself now and again",
        Sign.RequestsInCircle => "every request that the process works on waits for another one of its own",
        Sign.GivenByItself => "who waits is inside the only method that could end the wait, below a loop",
        Sign.NothingActs => "what still moves in the process only looks, counts and prints",
        Sign.SaidToHang => "the user says that the process hangs",
        Sign.InStatic => "static fields lead to what is waited for, and nothing runs that could use them",
        Sign.Backlog => "many objects wait for their finalizer",
        Sign.HoldsLock => "others wait for a lock that it holds",
        Sign.WriterNamed => "a frame names the method that changes it",
        _ => throw new ArgumentOutOfRangeException(nameof(sign), sign, "a sign without words"),
    };

    public static string? Of(TimeLimit? limit) => limit switch
    {
        TimeLimit.None => "no wait has a timeout",
        TimeLimit.TooLate => $"no wait has a timeout of less than {Durations.Of(Thresholds.LongestLimit)}",
        TimeLimit.Unknown => "whether a wait has a timeout is unknown",
        TimeLimit.Some => "a wait can end by itself",
        _ => null,
    };

    public static string? Of(Samples? samples) => samples switch
    {
        Samples.Stayed => "an earlier sample shows its threads at the same place",
        Samples.Moved => "a thread has moved since an earlier sample",
        Samples.PassedOn => "an earlier sample shows another owner of the lock at the same place",
        Samples.One => "there is one sample",
        _ => null,
    };

    /// <summary>Null where any trust fits.</summary>
    public static string? Of(LinkTrust links) => links switch
    {
        LinkTrust.Read => "every link was read",
        LinkTrust.Concluded => "no link is a guess",
        _ => null,
    };
}
