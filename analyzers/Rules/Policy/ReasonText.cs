namespace HangTriage.Rules.Policy;

/// <summary>The words for the reasons of the policy. {then} stands for "10 s earlier", {cpu} for the CPU used in it.</summary>
public static class ReasonText
{
    /// <summary>The words without a case: the placeholders say what stands there.</summary>
    public static string ForPeople(Reason reason)
        => Of(reason).Replace("{then}", "some time earlier", StringComparison.Ordinal)
            .Replace("{cpu}", "so much", StringComparison.Ordinal)
            .Replace("{moved}", "a thread moved on", StringComparison.Ordinal);

    public static string Of(Reason reason) => reason switch
    {
        Reason.WaitEndsByItself => "a time-out or another signal can end a wait of the circle",
        Reason.MovedSince => "the links fit, but {moved} between the captures",
        Reason.PassedOn => "another thread held the lock at this same place {then}, and has released it since",
        Reason.FactsDisagree => "thread list, environment blocks and locks of the target contradict each other",
        Reason.InputDamaged => "the input is damaged, and what it lost can show another cause",
        Reason.EveryLinkRead => "every wait and every owner was read from the target, and no wait has a time-out",
        Reason.EveryLinkSeenTwice => "every link was found, and {then} every thread of it stood at the same place",
        Reason.TimeLimitUnknown => "every link was found; whether a wait has a time-out is not recorded",
        Reason.LinkConcluded => "every link was found; one of them is concluded from stacks and objects",
        Reason.LinkGuessed => "a link is guessed from stack words or rests on an unverified layout",
        Reason.WaiterGuessed => "who waits for the lock is guessed from stack words",
        Reason.OwnerGone => "the lock is held, its owner is not among the threads, and a wait for the lock was found",
        Reason.LoadOwnerGone => "a wait in the loader has lasted for long, and no thread is marked as the load owner; the mark rests on an unverified layout",
        Reason.EntriesUnrecorded => "the waiters and the counts were read; who has the entries is recorded nowhere, and any thread can release them",
        Reason.OwnerUnrecorded => "the waiters were found; the owner is not recorded",
        Reason.HeapSearched => "the heap, the handles and the stacks were searched; native code could still know the task",
        Reason.MayBeMeant => "it is the program's Main that waits, and nobody waits for Main: it may be meant to wait for ever",
        Reason.ShortTimers => "the timers that it waits for are short; one capture cannot show how often it waits",
        Reason.FollowedToWork => "everything that the task needs was followed to work that makes progress; one capture cannot show how long it takes",
        Reason.PoolFull => "the pool has as many workers as it may have, and all of them are blocked; which of the queued items they wait for was not followed",
        Reason.PoolLog => "the pool's own log says that it starved, and all of its workers are blocked; which of the queued items they wait for was not followed",
        Reason.PoolGrew => "the pool has grown and all of its workers are blocked; one capture cannot show for how long",
        Reason.FollowedToQueue => "all workers are blocked, and a wait was followed from one of them to an item that is queued for the pool",
        Reason.PoolOutlookUnknown => "the pool can have no more workers, and all that it has are blocked; whether what they wait for is queued is recorded nowhere",
        Reason.WaitInLoaderGuessed => "the wait in the loader is guessed from stack words",
        Reason.LoaderSpinSeen => "lock, owner, spin and victim are all seen; what the loop waits for is unknown",
        Reason.OwnerJoinsWaiter => "the owner waits for the end of a thread that waits for the loader",
        Reason.OwnerJoinsWaiterByHandle => "the owner waits for the end of a thread that waits for the loader; which thread is guessed from a handle on the stack",
        Reason.WaiterNeedsLoader => "the owner waits in a callback of the loader, and a thread can neither start nor end without the loader; that the owner waits for this thread is concluded",
        Reason.LoaderCallbackOnly => "the owner waits in a callback of the loader while others need the loader; for whom it waits is not known",
        Reason.LastThread => "nobody in the process is left to end the wait; a dump cannot show whether another process or a time-out will end it",
        Reason.BusyOwnerCrowd => "the owner is busy and its waiters have hardly run; one capture cannot show for how long",
        Reason.BusyOwnerFew => "few wait, and one capture cannot show for how long",
        Reason.ReceiverConcluded => "the only thread that can own the window waits for what the sender has; that the window is its own is concluded",
        Reason.MessageUnderWay => "a message can be under way for a moment in any process, and a dump does not say whose window it went to",
        Reason.SameCallBefore => "it was in the same call {then}",
        Reason.CallUnderWay => "a call is under way for a moment in any process, and one capture cannot show for how long this one has been",
        Reason.SleepWithoutEnd => "its sleep has no end; only a call that is queued to the thread could still run",
        Reason.LengthOfSleepRead => "the length of the sleep was read; how much of it is over is not in a capture",
        Reason.BackInPool => "a pool's worker at rest is in no work item any more, and its next one need not know of the lock",
        Reason.SameRestBefore => "it was there {then} too",
        Reason.SuspendedForAMoment => "debuggers, profilers and garbage collectors suspend threads for a moment; one capture cannot show for how long",
        Reason.NextMessage => "the next message may let it continue; one capture cannot show for how long it has waited",
        Reason.SameIoBefore => "it was in the same call {then} and has not worked since",
        Reason.SpinSeenTwice => "the signs agree: it waits without blocking, and it was there {then} and has burned {cpu} of CPU since",
        Reason.SpinElsewhereBefore => "it waits without blocking and has burned CPU since the earlier capture; then it was elsewhere",
        Reason.SpinForLife => "it waits without blocking and has been busy for much of its life; one capture cannot show that the loop continues",
        Reason.SpinLittleCpu => "it waits without blocking; its CPU time is a small part of its life, so that it can only have begun lately",
        Reason.SpinSamePlace => "it waits without blocking, and it was there {then} too; its CPU time is not in the input",
        Reason.SpinCpuUnknown => "it waits without blocking; its CPU time, which would confirm it, is not in the input",
        Reason.ComputesSeenTwice => "it was there {then} and burned CPU since; whether its work ends is in no capture",
        Reason.Computes => "it was caught computing, and nobody is seen to wait for it; one capture cannot show whether its work ends",
        Reason.TableFramesMissing => "the circle was read, and threads that run refer to the table; their managed frames could not be found, so that they are inside it is a guess",
        Reason.TableLayoutAssumed => "the circle was read through a layout that is assumed by the names of the fields, and threads are inside the table",
        Reason.TableThreadsInside => "the circle was read, and threads are inside the table",
        Reason.TableThreadsGuessed => "the circle was read, and threads are at the exception that it leads to; that they came from this table is guessed from their stacks' words",
        Reason.TableThreadsAtError => "the circle was read, threads that run refer to the table, and the exception that it leads to was thrown more than once",
        Reason.TableEffectUnknown => "the broken links were read; what they do to the program depends on who looks for what",
        Reason.TableLayoutAssumedAlone => "the links are broken if the layout of this type is what its fields' names say",
        Reason.TableUseProven => "the frames and the objects in them show the threads inside the same table",
        Reason.TableHalfChanged => "the threads are inside the same table, which is half changed; no frame names the method that changes it",
        Reason.WhatIsMissing => "what is missing is known; what it would have shown is not",
        Reason.NothingFound => "every rule that applies saw what it needs and found nothing; what no rule looks for can still be there",
        _ => throw new ArgumentOutOfRangeException(nameof(reason), reason, "a reason without words"),
    };
}
