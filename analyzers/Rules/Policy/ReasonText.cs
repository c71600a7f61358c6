using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Policy;

/// <summary>
/// The words for the reasons of the policy. {then} stands for "10 s earlier", {cpu} for the CPU used in it, {age} for how long has been
/// waited, {ran} for what a thread did in a trace.
/// </summary>
public static class ReasonText
{
    /// <summary>The words without a case: the placeholders say what stands there.</summary>
    public static string ForPeople(Reason reason)
        => Of(reason).Replace("{then}", "some time earlier", StringComparison.Ordinal)
            .Replace("{cpu}", "so much", StringComparison.Ordinal)
            .Replace("{age}", "so long", StringComparison.Ordinal)
            .Replace("{moved}", "a thread moved on", StringComparison.Ordinal)
            .Replace("{ran}", "a thread of it runs around the capture", StringComparison.Ordinal);

    public static string Of(Reason reason) => reason switch
    {
        Reason.WaitEndsByItself => "a timeout or another signal can end a wait of the circle",
        Reason.MovedSince => "the links fit, but {moved} between the captures",
        Reason.PassedOn => "another thread held the lock at this same place {then}, and has released it since",
        Reason.FactsDisagree => "thread list, environment blocks and locks of the target contradict each other",
        Reason.InputDamaged => "the input is damaged, and what it lost can show another cause",
        Reason.EveryLinkRead => "every wait and every owner was read from the target, and no wait has a timeout",
        Reason.EveryLinkReadLongLimit
            => "every wait and every owner was read from the target; a wait has a timeout, "
                + $"of more than {Durations.Of(Thresholds.LongestLimitOfLock)}, which counts as none",
        Reason.EveryLinkSeenTwice => "every link was found, and {then} every thread of it stood at the same place",
        Reason.TimeLimitUnknown => "every link was found; whether a wait has a timeout is not recorded",
        Reason.LinkConcluded => "every link was found; one of them is concluded from stacks and objects",
        Reason.LinkGuessed => "a link is guessed from stack words or rests on an unverified layout",
        Reason.WaiterGuessed => "who waits for the lock is guessed from stack words",
        Reason.OwnerGone => "the lock is held, its owner is not among the threads, and a wait for the lock was found",
        Reason.LoadOwnerGone => "a wait in the loader has lasted for long, and no thread is marked as the load owner; the mark rests on an unverified layout",
        Reason.EntriesUnrecorded => "the waiters and the counts were read; who has the entries is not recorded, and any thread can release them",
        Reason.OwnerUnrecorded => "the waiters were found; the owner is not recorded",
        Reason.HeapSearched => "the heap, the handles and the stacks were searched; native code could still know the task",
        Reason.MayBeMeant => "it is the program's Main that waits, and nobody waits for Main: it may be meant to wait forever",
        Reason.NobodyReaches => "whatever leads to it over heap, handles and stacks was followed: all of it waits itself or has ended; native code could still know it",
        Reason.OnlyStatics => "static fields lead to it, and no code of the program runs or is known to run again that could use them",
        Reason.SignalsCrossed => "who leads to what each of them waits for was followed over heap, handles and stacks: only the others of the circle; which of them was to bring it is concluded",
        Reason.ShortTimers => "the timers that it waits for are short; one capture cannot show how often it waits",
        Reason.FollowedToWork => "everything that the task needs was followed to work that makes progress; one capture cannot show how long it takes",
        Reason.PoolFull => "the pool has as many workers as it may have, and all of them are blocked; which of the queued items they wait for was not followed",
        Reason.PoolLog => "the pool's own log says that it starved, and all of its workers are blocked; which of the queued items they wait for was not followed",
        Reason.PoolGrew => "the pool has grown and all of its workers are blocked; one capture cannot show for how long",
        Reason.FollowedToQueue => "all workers are blocked, and what one of them waits for was followed to work that only the pool itself does",
        Reason.PoolOutlookUnknown
            => "all workers are blocked, and what they wait for was not found in the queue; "
                + "whether the pool is stuck or slow, one capture cannot show",
        Reason.WorkersMove
            => "most workers have completed the items that they had in the earlier capture: the queue moves, at whatever pace",
        Reason.AnsweredHere
            => "the process itself is to answer, and nothing says that what its own code does for the request is stuck",
        Reason.SlowOrSilent
            => "many workers wait for answers from outside; whether the other side is slow or silent, one capture cannot show",
        Reason.WorkersStand
            => "all workers are blocked, and most of them are in the item, and at the place, in which the earlier capture shows them",
        Reason.NothingTaken
            => "hardly a worker has moved since the earlier capture, and nothing outside the pool is known to end their waits; "
                + "that what they wait for is in the queue was not found",
        Reason.WaitInLoaderGuessed => "the wait in the loader is guessed from stack words",
        Reason.LoaderSpinSeen => "lock, owner, spin and victim are all seen; what the loop waits for is unknown",
        Reason.OwnerJoinsWaiter => "the owner waits for the end of a thread that waits for the loader",
        Reason.OwnerJoinsWaiterByHandle => "the owner waits for the end of a thread that waits for the loader; which thread is guessed from a handle on the stack",
        Reason.WaiterNeedsLoader => "the owner waits in a callback of the loader, and a thread can neither start nor end without the loader; that the owner waits for this thread is concluded",
        Reason.LoaderCallbackOnly => "the owner waits in a callback of the loader while others need the loader; for whom it waits is not known",
        Reason.LastThread => "nobody in the process is left to end the wait; a dump cannot show whether another process or a timeout will end it",
        Reason.BusyOwnerCrowd => "the owner is busy and its waiters have hardly run; one capture cannot show for how long",
        Reason.BusyOwnerFew => "few wait, and one capture cannot show for how long",
        Reason.ReceiverConcluded => "the only thread that can own the window waits for what the sender has; that the window is its own is concluded",
        Reason.MessageUnderWay => "a message can be under way for a moment in any process, and a dump does not say whose window it went to",
        Reason.SameCallBefore => "it was in the same call {then}",
        Reason.CallUnderWay => "a call is under way for a moment in any process, and one capture cannot show for how long this one has been",
        Reason.CallHasTimeout => "the call has a timeout and ends by itself",
        Reason.CallUnderLock => "the call has no timeout, and others wait for a lock that its thread holds; one capture cannot show for how long",
        Reason.PipeMayBeFull => "the child blocks when it has written more than the pipe holds; how much it has written is not in a dump of this process",
        Reason.SleepWithoutEnd => "its sleep has no end; only a call that is queued to the thread could still run",
        Reason.LengthOfSleepRead => "the length of the sleep was read; how much of it is over is not in a capture",
        Reason.BackInPool => "a pool's idle worker is in no work item any more, and its next one need not know of the lock",
        Reason.BackInLoop
            => "no method on the owner's stack takes a lock or gives one back, so that what took this one has returned without that; "
                + "the code for its next item could still release it",
        Reason.SameRestBefore => "it was there {then} too",
        Reason.SuspendedForAMoment => "debuggers, profilers and garbage collectors suspend threads for a moment; one capture cannot show for how long",
        Reason.NextMessage => "the next message may let it continue; one capture cannot show for how long it has waited",
        Reason.SameIoBefore => "it was in the same call {then} and has not worked since",
        Reason.SpinSeenTwice => "the signs agree: it waits without blocking, and it was there {then} and has burned {cpu} of CPU since",
        Reason.SpinElsewhereBefore => "it waits without blocking and has burned CPU since the earlier capture; then it was elsewhere",
        Reason.SpinForLife => "it waits without blocking and has been busy for much of its life; one capture cannot show that the loop continues",
        Reason.SpinLittleCpu => "it waits without blocking; its CPU time is a small part of its life, so that it can only have begun lately",
        Reason.SpinSamePlace => "it waits without blocking, and it was there {then} too; its CPU time is not in the input, or too short to say more",
        Reason.SpinCpuUnknown => "it waits without blocking; its CPU time, which would confirm it, is not in the input",
        Reason.ComputesSeenTwice => "it was there {then} and burned CPU since; a dump cannot show whether its work ends",
        Reason.Computes => "it was caught computing, and nobody is seen to wait for it; one capture cannot show whether its work ends",
        Reason.OwnerMakesProgress => "the samples do not show the lock's owner stand still, so it may get to an end",
        Reason.EndUnseen => "it was caught computing, and nothing in the input shows whether that ends",
        Reason.KeptWaiting => "by the times that the target itself notes, those who wait have waited for at least {age}",
        Reason.PoolStandsStill
            => "all workers are blocked and items wait to be run; by the times that the target notes, nothing has moved for at least {age}",
        Reason.SameCallAllAlong
            => "in every sample it was in the same call, and nothing that the program works with there has changed; "
                + "how long that call may take is not known",
        Reason.SameRoundAgain
            => "it used the processor between the samples and came back to the same values: a loop that reads nothing else never ends",
        Reason.CircleOfReferences
            => "the references were read and lead in a circle, and the loop's instructions show no other way out; "
                + "an exception or another thread could still end it",
        Reason.AsksAgain => "in every sample it naps in the same loop with nothing changed; what it asks may answer otherwise at any time",
        Reason.TableFramesMissing => "the circle was read, and threads that run refer to the table; their managed frames could not be found, so that they are inside it is a guess",
        Reason.TableLayoutAssumed => "the circle was read through a layout that is assumed by the names of the fields, and threads are inside the table",
        Reason.TableThreadsInside => "the circle was read, and threads are inside the table",
        Reason.TableThreadsGuessed => "the circle was read, and threads are at the exception that it leads to; that they came from this table is guessed from their stacks' words",
        Reason.TableThreadsAtError => "the circle was read, threads that run refer to the table, and the exception that it leads to was thrown more than once",
        Reason.TableEffectUnknown => "the broken links were read; what they do to the program depends on who looks for what",
        Reason.TableLayoutAssumedAlone => "the links are broken if the layout of this type is what its fields' names say",
        Reason.TableUseProven => "the frames and the objects in them show the threads inside the same table",
        Reason.TableHalfChanged => "the threads are inside the same table, which is half changed; no frame names the method that changes it",
        Reason.TakerAwaitsWaiter => "the one entry is in the hands of who waits, by his variables; that he has taken it is concluded",
        Reason.WaitersHaveThem => "all that there may be are taken, and only async methods that wait for another one lead to them",
        Reason.NobodyHasThem => "all that there may be are taken, and no thread, async method or static field leads to one of them",
        Reason.NoHolderSeen => "all entries are taken, and no method that takes part makes progress; a holder that is not seen could still release one",
        Reason.NoSignallerSeen => "who ends that wait is not recorded; nothing else in the process is seen to make progress",
        Reason.SameWaitBefore => "it was in the same wait {then}",
        Reason.NobodyLetsGo => "what keeps the object was found, and nothing else in the process is seen to make progress that could let it go",
        Reason.HostWaits => "what the host waits for was followed to that wait, and nothing else of the program is seen to make progress; who ends it is not recorded",
        Reason.NoSafePoint => "a thread that blocks in cooperative mode stops for nobody; the mode was read, and a dump cannot show how long the call lasts",
        Reason.FinalizerBacklog => "nobody waits for the finalizers; so many objects wait for theirs that none has run for long",
        Reason.NobodyBehindFinalizer => "nobody waits for the finalizers; what they would free stays in memory until they run again",
        Reason.NobodyCanChange => "the program's own instructions were searched for code that could change what the loop looks at; reflection and native code could, too",
        Reason.TriesAgain => "each of them gives up after a time, gives its lock back and tries again; they can miss each other for long, or pass at the next try",
        Reason.RankExplains => "the trace shows it ready all that time; its rank is worse than that of every thread that ran, and rank goes before priority",
        Reason.ReadyRankUnknown => "the trace shows it ready all that time; what keeps the scheduler from it is not recorded",
        Reason.ReadyOnceBefore
            => "the trace shows it ready all that time, and running again before the capture was taken or the trace ended",
        Reason.HolderInOnePlace
            => "the trace shows that it ran all the while in one place, and then readied every one of them; that they waited for what it did is concluded",
        Reason.HolderElsewhere => "the trace shows that it ran all the while, and then readied every one of them; where it ran is spread or not recorded",
        Reason.AnsweredByProcess => "the trace shows the wait from its begin to its end, and the other process's thread that ended it; the capture was taken within it",
        Reason.MayWaitForRequests => "the trace shows who ended the wait; a thread that waits for another process's requests looks the same",
        Reason.CallsCounted => "the trace counts the calls and the time for which the thread ran",
        Reason.AnswerAwaited => "the trace shows the wait from its begin to its end, who ended it, and that an answer was awaited",
        Reason.AnswerOnPath
            => "the trace shows the wait from its begin to its end, who ended it, and what waited behind it; whether the other process was asked is not in a trace",
        Reason.StormWithoutEnd => "the trace counts them; that they lead nowhere is not in a trace",
        Reason.YieldsAlone => "the trace counts the yields, and nobody else in the process makes progress who could end the loop",
        Reason.YieldsBesideOthers => "the trace counts the yields; other threads of the process run, and one of them may end the loop",
        Reason.PartnerRunsOn
            => "the trace counts how often it was readied, and by whom, who has run since; whether anybody needs it is not in a trace",
        Reason.PartnerHasEnded
            => "the trace counts how often it was readied, and by whom, who has ended; whether another could do it is not in a trace",
        Reason.PartnerElsewhere => "the trace counts how often another process readied it; that process may have nothing more to ask",
        Reason.NothingFromOutside
            => "the trace counts how often it was readied; that may have been a timer or a device, and nothing may be asked any more",
        Reason.PartnerWaits
            => "the trace counts how often it was readied, and by whom, who waits as well; whether the two have finished is not in a trace",
        Reason.NothingInTrace
            => "the trace shows every thread of the process take its turns; a loop that naps and asks again without end takes them, too",
        Reason.RunsInTrace => "in the trace {ran}: it was not blocked",
        Reason.SaidToHang => "the user says that the process hangs, and this is what explains it best",
        Reason.WorkUnderWay => "work under way leads to what is waited for, and one capture cannot show whether it brings it",
        Reason.GiverFailed => "the only code of the program that ends this wait has ended with an exception, and nobody begins it again",
        Reason.SharedHere => "the process locks this database itself now and again; one capture cannot show whether it is about to go on",
        Reason.NotSent => "it waits for an answer, and what it has written is still in its own buffer, which nobody is seen to flush",
        Reason.RequestsInCircle => "every request that the process works on waits for another request to the process itself",
        Reason.TakenByItself => "it gives the lock back behind the loop in which it tries for it; nobody else is seen to",
        Reason.GivenByItself => "the only method that ends this wait is in it itself, and is called again when this call is over",
        Reason.NothingActs => "all that still moves in the process only looks, counts and prints, so nothing in it ends this wait",
        Reason.NothingSuspicious => "the user says that the process hangs, and no wait of unknown end was found",
        Reason.WhatIsMissing => "what is missing is known; what it would have shown is not",
        Reason.CrashRecorded => "the input records what ended the process; whether it also hung before is another question (--hung)",
        Reason.NothingFound => "every rule that applies saw what it needs and found nothing; what no rule looks for can still be there",
        _ => throw new ArgumentOutOfRangeException(nameof(reason), reason, "a reason without words"),
    };
}
