using HangTriage.Rules.Context;
using static HangTriage.Rules.Policy.Confidence;
using static HangTriage.Rules.Policy.VerdictKind;
using P = HangTriage.Rules.Policy.Pattern;

namespace HangTriage.Rules.Policy;

/// <summary>The one table that turns what was seen into a verdict. The first row that fits decides.</summary>
public sealed class VerdictPolicy
{
    private const P Cycle = P.ManagedLockCycle | P.NativeLockCycle | P.TaskCycle | P.ContextCycle;
    // Whether a thread waits for a native lock is read, by the lock's own counts, or guessed.
    private const P CycleWithConclusions = P.ManagedLockCycle | P.TaskCycle | P.ContextCycle;
    private const P OwnerRests = P.OwnerSuspended | P.OwnerWaitsForMessage;
    private const P Stalls = P.RuntimeStuck | P.SuspensionHeldUp | P.CollectionHeldUp;
    private const P Spins = P.OwnerSpins | P.LoaderOwnerSpins;
    // All of it rests on threads that are blocked: one that runs is not.
    private const P Blocked = Cycle | P.SignalCycle | P.MessageCycle | P.OrphanedLock | P.OwnerSleepsForEver | P.OwnerSleepsLong | OwnerRests | P.OwnerWaitsForIo
        | P.NeverCompletedTask | P.LostSignal | P.UnansweredMessage | P.UnansweredCall | P.OutsideRequest | P.UnreadOutput | P.UiWaitsForWork;

    public VerdictPolicy(params IReadOnlyList<PolicyRow> rows) => Rows = rows;

    public static VerdictPolicy Standard { get; } = new(
        // What ended the process is recorded. A thread that stands where it threw explains the waits of all others.
        new(P.Crashed, NotHung, Certain, Reason.CrashRecorded),

        // A trace of the same time shows who was blocked and who ran; that goes before what one instant looks like.
        new(Blocked, NotHung, Likely, Reason.RunsInTrace) { Signs = Sign.RunsInTrace },

        // A circle and broken data are made of what was read. All else rests on something not being there, too: another wait,
        // another owner, a thread that lives.
        new(P.OrphanedLock | P.AbandonedLoad | P.OwnerSleepsForEver | P.OwnerBackInPool, Orphaned, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.OwnerSleepsLong | P.UiWaitsForWork, SlowWait, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(OwnerRests | P.OwnerWaitsForIo | P.UnansweredMessage | P.UnansweredCall, BlockedOnExternal, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.OutsideRequest | P.UnreadOutput, BlockedOnExternal, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.OwnerComputes, BusyOwner, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.WalksInCircle, Corruption, Possible, Reason.InputDamaged) { Signs = Sign.Loss | Sign.Depended },
        new(Spins, SpinningOwner, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.NeverCompletedTask | P.ExitWait | P.AsyncLockLost | P.LostSignal | P.HostStuck | P.PollForNobody | P.PoolUsedUp, NeverCompleted, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.SignalCycle, Deadlock, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.PartnerStopped, Inconclusive, null, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.SpinLockLost, Orphaned, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(P.PoolStarved, NotHung, Possible, Reason.WorkersMove) { Signs = Sign.Loss | Sign.WorkersMove },
        new(P.PoolStarved, Starvation, Possible, Reason.InputDamaged) { Signs = Sign.Loss },
        new(Stalls, RuntimeStall, Possible, Reason.InputDamaged) { Signs = Sign.Loss },

        // The user says that it hangs: what is open otherwise is then the best answer that there is.
        new(Cycle, Deadlock, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang, Limit = TimeLimit.Some },
        new(P.SpinsAlone, SpinningOwner, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.ComputesAlone, BusyOwner, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.AtWork, BusyOwner, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang | Sign.Depended },
        new(P.CallStorm, BusyOwner, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.AnswerInTrace, BlockedOnExternal, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.NeverCompletedTask, NeverCompleted, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang | Sign.MainWaitsDirectly },
        new(P.PoolBlocked, Starvation, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.ExhaustedSemaphore, NeverCompleted, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.OutsideRequest, BlockedOnExternal, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang | Sign.ToItself },
        new(P.FinalizerBlocked, RuntimeStall, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang },
        new(P.SignalOfUnknownEnd, NeverCompleted, Possible, Reason.GiverFailed) { Signs = Sign.GiverFailed },
        new(P.TaskOfUnknownEnd, NeverCompleted, Possible, Reason.GiverFailed) { Signs = Sign.GiverFailed },
        new(P.SignalOfUnknownEnd, NeverCompleted, Possible, Reason.GivenByItself) { Signs = Sign.GivenByItself },
        new(P.TaskOfUnknownEnd, NeverCompleted, Possible, Reason.GivenByItself) { Signs = Sign.GivenByItself },
        new(P.TaskOfUnknownEnd, Deadlock, Possible, Reason.RequestsInCircle) { Signs = Sign.RequestsInCircle },
        new(P.OutsideOfUnknownEnd, Deadlock, Possible, Reason.RequestsInCircle) { Signs = Sign.RequestsInCircle },
        new(P.SignalOfUnknownEnd, NeverCompleted, Possible, Reason.NothingActs) { Signs = Sign.NothingActs },
        new(P.TaskOfUnknownEnd, NeverCompleted, Possible, Reason.NothingActs) { Signs = Sign.NothingActs },
        new(P.OutsideOfUnknownEnd, BlockedOnExternal, Possible, Reason.NothingActs) { Signs = Sign.NothingActs },
        new(P.OutsideOfUnknownEnd, BlockedOnExternal, Possible, Reason.SaidToHang),
        new(P.SignalOfUnknownEnd, NeverCompleted, Possible, Reason.SaidToHang),
        new(P.TaskOfUnknownEnd, NeverCompleted, Possible, Reason.SaidToHang),
        new(P.RuntimeOfUnknownEnd, RuntimeStall, Possible, Reason.SaidToHang),
        new(P.NothingFound, Inconclusive, null, Reason.NothingSuspicious) { Signs = Sign.SaidToHang },

        // Circles: certain where every link was read; a way out makes them no hang, movement makes them less sure.
        new(P.ManagedLockCycle, Deadlock, Possible, Reason.TriesAgain) { Limit = TimeLimit.Some, Signs = Sign.TriesAgain },
        new(Cycle, NotHung, Likely, Reason.WaitEndsByItself) { Limit = TimeLimit.Some },
        new(Cycle, Deadlock, Likely, Reason.MovedSince) { Samples = Samples.Moved, Links = LinkTrust.Read, Limit = TimeLimit.None },
        new(Cycle, Deadlock, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(Cycle, Deadlock, Certain, Reason.EveryLinkReadLongLimit) { Links = LinkTrust.Read, Limit = TimeLimit.TooLate },
        new(Cycle, Deadlock, Certain, Reason.EveryLinkRead) { Links = LinkTrust.Read, Limit = TimeLimit.None },
        new(CycleWithConclusions, Deadlock, Certain, Reason.EveryLinkSeenTwice) { Links = LinkTrust.Concluded, Limit = TimeLimit.None, Samples = Samples.Stayed },
        new(CycleWithConclusions, Deadlock, Likely, Reason.LinkConcluded) { Links = LinkTrust.Concluded, Limit = TimeLimit.None },
        new(Cycle, Deadlock, Likely, Reason.TimeLimitUnknown) { Links = LinkTrust.Concluded },
        new(Cycle, Deadlock, Possible, Reason.LinkGuessed),

        new(P.LoaderCallout, Deadlock, Likely, Reason.MovedSince) { Samples = Samples.Moved, Signs = Sign.JoinsWaiter, Links = LinkTrust.Concluded },
        new(P.LoaderCallout, Deadlock, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.LoaderCallout, Deadlock, Certain, Reason.OwnerJoinsWaiter) { Signs = Sign.JoinsWaiter, Links = LinkTrust.Concluded },
        new(P.LoaderCallout, Deadlock, Likely, Reason.OwnerJoinsWaiterByHandle) { Signs = Sign.JoinsWaiter },
        new(P.LoaderCallout, Deadlock, Likely, Reason.WaiterNeedsLoader) { Signs = Sign.WaiterStartsOrEnds },
        new(P.LoaderCallout, Deadlock, Possible, Reason.LoaderCallbackOnly),

        new(P.MessageCycle, Deadlock, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.MessageCycle, Deadlock, Likely, Reason.ReceiverConcluded),

        // Owners that are gone, or rest.
        new(P.OrphanedLock, Orphaned, Possible, Reason.FactsDisagree) { Signs = Sign.Contradiction },
        new(P.OrphanedLock, Orphaned, Likely, Reason.MovedSince) { Samples = Samples.Moved, Links = LinkTrust.Concluded },
        new(P.OrphanedLock, Orphaned, Certain, Reason.OwnerGone) { Links = LinkTrust.Concluded },
        new(P.OrphanedLock, Orphaned, Possible, Reason.WaiterGuessed),
        new(P.AbandonedLoad, Orphaned, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.AbandonedLoad, Orphaned, Likely, Reason.LoadOwnerGone) { Links = LinkTrust.Concluded },
        new(P.AbandonedLoad, Orphaned, Possible, Reason.WaitInLoaderGuessed),

        new(P.OwnerSleepsForEver, NotHung, Possible, Reason.PassedOn) { Samples = Samples.PassedOn },
        new(P.OwnerSleepsForEver | P.OwnerBackInPool, Orphaned, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.OwnerSleepsForEver, Orphaned, Likely, Reason.SleepWithoutEnd) { Links = LinkTrust.Concluded },
        new(P.OwnerBackInPool, Orphaned, Likely, Reason.BackInPool) { Links = LinkTrust.Concluded },
        new(P.OwnerSleepsForEver | P.OwnerBackInPool, Orphaned, Possible, Reason.WaiterGuessed),
        new(P.OwnerBackInLoop, Orphaned, Possible, Reason.BackInLoop),
        new(P.OwnerSleepsLong, SlowWait, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.OwnerSleepsLong, SlowWait, Likely, Reason.LengthOfSleepRead) { Links = LinkTrust.Concluded },
        new(P.OwnerSleepsLong, SlowWait, Possible, Reason.WaiterGuessed),
        new(OwnerRests, BlockedOnExternal, Likely, Reason.SameRestBefore) { Samples = Samples.Stayed, Links = LinkTrust.Concluded },
        new(P.OwnerSuspended, BlockedOnExternal, Possible, Reason.SuspendedForAMoment),
        new(P.OwnerWaitsForMessage, BlockedOnExternal, Possible, Reason.NextMessage),
        new(P.OwnerWaitsForIo, BlockedOnExternal, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.OwnerWaitsForIo, BlockedOnExternal, Likely, Reason.SameIoBefore) { Samples = Samples.Stayed, Links = LinkTrust.Concluded },
        new(P.OwnerWaitsForIo, BlockedOnExternal, Possible, Reason.WaiterGuessed),

        // Owners that use the processor. No capture shows what a loop waits for, or when work ends: never certain.
        new(P.OwnerComputes, BusyOwner, Possible, Reason.SaidToHang) { Signs = Sign.SaidToHang | Sign.MakesProgress },
        new(P.OwnerComputes, BusyNotHung, Possible, Reason.OwnerMakesProgress) { Signs = Sign.MakesProgress },
        new(P.OwnerComputes, BusyOwner, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.OwnerComputes, BusyOwner, Likely, Reason.KeptWaiting) { Signs = Sign.Starves },
        new(P.OwnerComputes, BusyOwner, Likely, Reason.BusyOwnerCrowd) { Signs = Sign.Crowd },
        new(P.OwnerComputes, BusyOwner, Possible, Reason.BusyOwnerFew),
        new(Spins, SpinningOwner, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.LoaderOwnerSpins, SpinningOwner, Likely, Reason.SpinSeenTwice) { Signs = Sign.BurnsCpu | Sign.SamePlaceBefore, Links = LinkTrust.Concluded },
        new(P.LoaderOwnerSpins, SpinningOwner, Likely, Reason.LoaderSpinSeen) { Signs = Sign.BurnsCpu, Links = LinkTrust.Concluded },
        new(P.LoaderOwnerSpins, SpinningOwner, Possible, Reason.WaitInLoaderGuessed) { Signs = Sign.BurnsCpu },
        new(P.OwnerSpins, SpinningOwner, Likely, Reason.SpinSeenTwice) { Signs = Sign.BurnsCpu | Sign.SamePlaceBefore },
        new(P.OwnerSpins, SpinningOwner, Likely, Reason.SpinElsewhereBefore) { Signs = Sign.BurnsCpu | Sign.ElsewhereBefore },
        new(P.OwnerSpins, SpinningOwner, Likely, Reason.SpinForLife) { Signs = Sign.BurnsCpu },
        new(Spins, SpinningOwner, Possible, Reason.SpinLittleCpu) { Signs = Sign.LittleCpu },
        new(Spins, SpinningOwner, Likely, Reason.SpinSamePlace) { Signs = Sign.SamePlaceBefore, Links = LinkTrust.Concluded },
        new(Spins, SpinningOwner, Possible, Reason.SpinCpuUnknown),
        new(P.PollForNobody, NeverCompleted, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.PollForNobody, NeverCompleted, Possible, Reason.NobodyCanChange),
        new(P.SpinLockLost, Orphaned, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.SpinLockLost, Deadlock, Likely, Reason.TakenByItself) { Signs = Sign.TakenByItself },
        new(P.SpinLockLost, Orphaned, Likely, Reason.NobodyCanChange),
        new(P.SpinsAlone, BusyNotHung, Likely, Reason.SpinSeenTwice) { Signs = Sign.BurnsCpu | Sign.SamePlaceBefore },
        new(P.SpinsAlone, BusyNotHung, Likely, Reason.SpinForLife) { Signs = Sign.BurnsCpu },
        new(P.SpinsAlone, BusyNotHung, Possible, Reason.SpinCpuUnknown),
        new(P.ComputesAlone, BusyNotHung, Likely, Reason.ComputesSeenTwice) { Signs = Sign.BurnsCpu | Sign.SamePlaceBefore },
        new(P.ComputesAlone, BusyNotHung, Likely, Reason.Computes),

        new(P.AsksUnderLock, SpinningOwner, Possible, Reason.AsksAgain),
        new(P.WalksInCircle, Corruption, Likely, Reason.CircleOfReferences) { Signs = Sign.Depended },
        new(P.WalksInCircle, BusyNotHung, Likely, Reason.CircleOfReferences),
        new(P.AtWork, BusyOwner, Likely, Reason.SameRoundAgain) { Signs = Sign.RoundUnchanged | Sign.Depended },
        new(P.AtWork, BusyOwner, Possible, Reason.SameCallAllAlong) { Signs = Sign.StaysInCall | Sign.Depended },
        new(P.AtWork, BusyOwner, Likely, Reason.KeptWaiting) { Signs = Sign.Starves | Sign.Depended },
        new(P.AtWork, BusyNotHung, Possible, Reason.EndUnseen),

        // Tasks and the thread pool.
        new(P.NeverCompletedTask, NotHung, Possible, Reason.MayBeMeant) { Signs = Sign.MainWaitsDirectly },
        new(P.NeverCompletedTask, NeverCompleted, Possible, Reason.MayBeMeant) { Signs = Sign.MainWaits },
        new(P.NeverCompletedTask, NeverCompleted, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.NeverCompletedTask, NeverCompleted, Likely, Reason.HeapSearched),
        new(P.PoolUsedUp, NeverCompleted, Likely, Reason.NobodyHasThem) { Signs = Sign.Forgotten },
        new(P.PoolUsedUp, Deadlock, Likely, Reason.WaitersHaveThem) { Signs = Sign.LentToWaiters },
        new(P.PoolUsedUp, NeverCompleted, Possible, Reason.NoHolderSeen),
        new(P.AsyncLockLost, Deadlock, Likely, Reason.TakerAwaitsWaiter) { Links = LinkTrust.Read },
        new(P.AsyncLockLost, NeverCompleted, Possible, Reason.NoHolderSeen),
        new(P.LostSignal, NeverCompleted, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.LostSignal, NeverCompleted, Possible, Reason.OnlyStatics) { Signs = Sign.InStatic },
        new(P.LostSignal, NeverCompleted, Likely, Reason.NobodyReaches),
        new(P.SignalCycle, Deadlock, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.SignalCycle, Deadlock, Possible, Reason.OnlyStatics) { Signs = Sign.InStatic },
        new(P.SignalCycle, Deadlock, Likely, Reason.SignalsCrossed),
        new(P.ExitWait, NeverCompleted, Likely, Reason.LastThread),
        new(P.UiWaitsForWork, SlowWait, Possible, Reason.ShortTimers) { Signs = Sign.ShortTimers },
        new(P.UiWaitsForWork, SlowWait, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.UiWaitsForWork, SlowWait, Likely, Reason.FollowedToWork),
        new(P.PoolStarved | P.PoolBlocked, NotHung, Possible, Reason.WorkersMove) { Signs = Sign.WorkersMove },
        new(P.PoolStarved, Starvation, Likely, Reason.FollowedToQueue) { Signs = Sign.LeadsToQueue | Sign.PoolIsFull },
        new(P.PoolStarved, Starvation, Likely, Reason.FollowedToQueue) { Signs = Sign.LeadsToQueue | Sign.PoolLoggedIt },
        new(P.PoolStarved, Starvation, Likely, Reason.PoolStandsStill) { Signs = Sign.WaitsLong },
        new(P.PoolStarved, Starvation, Likely, Reason.WorkersStand) { Signs = Sign.WorkersStand },
        new(P.PoolStarved, Starvation, Possible, Reason.FollowedToQueue) { Signs = Sign.LeadsToQueue },
        new(P.PoolStarved, Starvation, Likely, Reason.PoolFull) { Signs = Sign.PoolIsFull },
        new(P.PoolStarved, Starvation, Likely, Reason.PoolLog) { Signs = Sign.PoolLoggedIt },
        new(P.PoolStarved, Starvation, Possible, Reason.PoolGrew),
        new(P.PoolBlocked, Starvation, Possible, Reason.PoolStandsStill) { Signs = Sign.WaitsLong },
        new(P.PoolBlocked, Starvation, Possible, Reason.NothingTaken) { Signs = Sign.NothingTaken },
        new(P.PoolBlocked, Inconclusive, null, Reason.PoolOutlookUnknown),

        // The runtime's own waits.
        new(Stalls, RuntimeStall, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(Stalls, RuntimeStall, Likely, Reason.SameWaitBefore) { Samples = Samples.Stayed },
        new(P.SuspensionHeldUp, RuntimeStall, Likely, Reason.NoSafePoint),
        new(P.RuntimeStuck, RuntimeStall, Possible, Reason.NoSignallerSeen),
        new(P.CollectionHeldUp, RuntimeStall, Possible, Reason.NobodyLetsGo),
        new(P.HostStuck, NeverCompleted, Possible, Reason.HostWaits),
        new(P.FinalizerBlocked, RuntimeStall, Possible, Reason.FinalizerBacklog) { Signs = Sign.Backlog },
        new(P.FinalizerBlocked, NotHung, Possible, Reason.NobodyBehindFinalizer),

        // Answers from outside.
        new(P.UnansweredMessage, BlockedOnExternal, Possible, Reason.MessageUnderWay),
        new(P.UnansweredCall, BlockedOnExternal, Likely, Reason.SameCallBefore) { Samples = Samples.Stayed },
        new(P.UnansweredCall, BlockedOnExternal, Possible, Reason.CallUnderWay),

        new(P.OutsideRequest, NotHung, Possible, Reason.CallHasTimeout) { Limit = TimeLimit.Some },
        new(P.OutsideRequest, NeverCompleted, Possible, Reason.NotSent) { Signs = Sign.Unsent },
        new(P.OutsideRequest, Deadlock, Possible, Reason.RequestsInCircle) { Signs = Sign.ToItself | Sign.RequestsInCircle },
        new(P.OutsideRequest, NeverCompleted, Possible, Reason.NothingActs) { Signs = Sign.ToItself | Sign.NothingActs },
        new(P.OutsideRequest, Inconclusive, null, Reason.AnsweredHere) { Signs = Sign.ToItself },
        new(P.OutsideRequest, Inconclusive, null, Reason.SlowOrSilent) { Signs = Sign.OnlyCrowd, Samples = Samples.One },
        new(P.OutsideRequest | P.UnreadOutput, BlockedOnExternal, Possible, Reason.MovedSince) { Samples = Samples.Moved },
        new(P.OutsideRequest | P.UnreadOutput, BlockedOnExternal, Likely, Reason.SameCallBefore) { Samples = Samples.Stayed },
        new(P.OutsideRequest, BlockedOnExternal, Likely, Reason.KeptWaiting) { Signs = Sign.WaitsLong },
        new(P.OutsideRequest, Inconclusive, null, Reason.SharedHere) { Signs = Sign.SharedHere },
        new(P.OutsideRequest, BlockedOnExternal, Likely, Reason.CallUnderLock) { Signs = Sign.HoldsLock, Limit = TimeLimit.None },
        new(P.OutsideRequest, BlockedOnExternal, Possible, Reason.CallUnderWay),
        new(P.UnreadOutput, BlockedOnExternal, Possible, Reason.PipeMayBeFull),

        // What a trace shows of the scheduler.
        new(P.ReadyNotRun, Outranked, Likely, Reason.RankExplains) { Signs = Sign.StillSo | Sign.WorseRank },
        new(P.ReadyNotRun, Outranked, Possible, Reason.ReadyRankUnknown) { Signs = Sign.StillSo },
        new(P.ReadyNotRun, Outranked, Possible, Reason.ReadyOnceBefore),
        new(P.HolderInTrace, SpinningOwner, Likely, Reason.HolderInOnePlace) { Signs = Sign.OnePlace | Sign.YieldsInTrace },
        new(P.HolderInTrace, BusyOwner, Likely, Reason.HolderInOnePlace) { Signs = Sign.OnePlace },
        new(P.HolderInTrace, BusyOwner, Possible, Reason.HolderElsewhere),
        new(P.AnswerInTrace, BlockedOnExternal, Likely, Reason.AnswerAwaited) { Signs = Sign.TraceAlone | Sign.AnswerAwaited },
        new(P.AnswerInTrace, BlockedOnExternal, Possible, Reason.AnswerOnPath) { Signs = Sign.TraceAlone | Sign.Depended },
        new(P.AnswerInTrace, Inconclusive, null, Reason.MayWaitForRequests) { Signs = Sign.TraceAlone },
        new(P.AnswerInTrace, BlockedOnExternal, Likely, Reason.AnsweredByProcess) { Signs = Sign.Depended },
        new(P.AnswerInTrace, NotHung, Possible, Reason.MayWaitForRequests),
        new(P.CallStorm, BusyNotHung, Possible, Reason.StormWithoutEnd) { Signs = Sign.TraceAlone },
        new(P.CallStorm, BusyNotHung, Certain, Reason.CallsCounted),
        new(P.YieldsInCircles, SpinningOwner, Likely, Reason.YieldsAlone) { Signs = Sign.NobodyElseRuns },
        new(P.YieldsInCircles, SpinningOwner, Possible, Reason.YieldsBesideOthers),
        new(P.PartnerStopped, Inconclusive, null, Reason.NothingFromOutside) { Signs = Sign.FromOutside },
        new(P.PartnerStopped, BlockedOnExternal, Possible, Reason.PartnerElsewhere) { Signs = Sign.PartnerOutside },
        new(P.PartnerStopped, BusyOwner, Likely, Reason.PartnerRunsOn) { Signs = Sign.PartnerRuns | Sign.Depended },
        new(P.PartnerStopped, BusyOwner, Possible, Reason.PartnerRunsOn) { Signs = Sign.PartnerRuns },
        new(P.PartnerStopped, NeverCompleted, Likely, Reason.PartnerHasEnded) { Signs = Sign.PartnerEnded | Sign.Depended },
        new(P.PartnerStopped, NeverCompleted, Possible, Reason.PartnerHasEnded) { Signs = Sign.PartnerEnded },
        new(P.PartnerStopped, NeverCompleted, Possible, Reason.PartnerWaits),

        // Broken collections.
        new(P.BrokenTableInUse, Corruption, Possible, Reason.TableFramesMissing) { Signs = Sign.NoFrames },
        new(P.BrokenTableInUse, Corruption, Likely, Reason.TableLayoutAssumed) { Signs = Sign.AssumedLayout },
        new(P.BrokenTableInUse, Corruption, Certain, Reason.TableThreadsInside) { Signs = Sign.InsideProven },
        new(P.BrokenTableInUse, Corruption, Likely, Reason.TableThreadsGuessed) { Signs = Sign.ThreadsInside },
        new(P.BrokenTableInUse, Corruption, Likely, Reason.TableThreadsAtError),
        new(P.BrokenTable, NotHung, Possible, Reason.TableLayoutAssumedAlone) { Signs = Sign.AssumedLayout },
        new(P.BrokenTable, NotHung, Likely, Reason.TableEffectUnknown),
        new(P.ConcurrentTableUse, BusyNotHung, Certain, Reason.TableUseProven) { Signs = Sign.WriterNamed },
        new(P.ConcurrentTableUse, BusyNotHung, Likely, Reason.TableHalfChanged),

        // No owner is recorded, or nothing was found.
        new(P.ExhaustedSemaphore, NeverCompleted, Possible, Reason.NothingActs) { Signs = Sign.NothingActs },
        new(P.ExhaustedSemaphore, Inconclusive, null, Reason.EntriesUnrecorded),
        new(P.SrwConvoy, Inconclusive, null, Reason.OwnerUnrecorded),
        new(P.NothingFoundHalfBlind, Inconclusive, null, Reason.WhatIsMissing),
        new(P.NothingFound, NotHung, Possible, Reason.WorkUnderWay) { Signs = Sign.WorkUnderWay },
        new(P.NothingFound, NotHung, Possible, Reason.NothingInTrace) { Signs = Sign.TraceAlone },
        new(P.NothingFound, NotHung, Likely, Reason.NothingFound));

    public IReadOnlyList<PolicyRow> Rows { get; }

    /// <exception cref="InvalidOperationException">No row fits: the table has no last row for this pattern.</exception>
    public PolicyRow Decide(PolicyCase seen)
        => Rows.FirstOrDefault(row => row.Fits(seen)) ?? throw new InvalidOperationException($"the policy has no row for {seen}");

    /// <summary>One of these patterns can make a verdict that says that the process hangs, or that leaves it open.</summary>
    /// <param name="patterns">The patterns.</param>
    /// <param name="isSaidToHang">The user says that the process hangs: rows for that count.</param>
    public bool CanForbidHealth(Pattern patterns, bool isSaidToHang)
        => Rows.Any(row => (row.Patterns & patterns) != 0
            && (row.Kind.IsHang() || row.Kind == Inconclusive)
            && (isSaidToHang || (row.Signs & Sign.SaidToHang) == 0));
}
