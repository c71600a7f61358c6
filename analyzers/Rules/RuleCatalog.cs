using HangTriage.Rules.Calls;
using HangTriage.Rules.Collections;
using HangTriage.Rules.Loader;
using HangTriage.Rules.Locks;
using HangTriage.Rules.Outside;
using HangTriage.Rules.Running;
using HangTriage.Rules.Scheduling;
using HangTriage.Rules.Signals;
using HangTriage.Rules.Spinning;
using HangTriage.Rules.Stalls;
using HangTriage.Rules.Tasks;
using HangTriage.Rules.Work;

namespace HangTriage.Rules;

/// <summary>Every rule there is, in the order of their ids.</summary>
public static class RuleCatalog
{
    public static IReadOnlyList<IRule> All { get; } =
    [
        new ManagedLockCycleRule(),
        new OrphanedManagedLockRule(),
        new ExhaustedSemaphoreRule(),
        new UiTaskDeadlockRule(),
        new NeverCompletedTaskRule(),
        new SlowTaskOnUiRule(),
        new TaskCycleRule(),
        new PoolStarvationRule(),
        new AsyncLockRule(),
        new LostSignalRule(),
        new SignalCycleRule(),
        new UsedUpPoolRule(),
        new LoaderLockSpinnerRule(),
        new LoaderCalloutRule(),
        new OrphanedLockRule(),
        new NativeLockCycleRule(),
        new BusyLockOwnerRule(),
        new SrwConvoyRule(),
        new UnansweredMessageRule(),
        new UnansweredCallRule(),
        new RestingLockOwnerRule(),
        new SpinningThreadRule(),
        new RunawayThreadRule(),
        new EndlessPollRule(),
        new ThreadAtWorkRule(),
        new CorruptedTableRule(),
        new ConcurrentTableUseRule(),
        new BlockedFinalizerRule(),
        new StaticConstructorRule(),
        new SuspensionRule(),
        new CallbackRule(),
        new HostRule(),
        new SentCallRule(),
        new ProcessEndRule(),
        new HeldUpCollectionRule(),
        new OutrankedRule(),
        new TracedHolderRule(),
        new AnswerRule(),
        new CallStormRule(),
        new YieldingThreadRule(),
        new StoppedPartnerRule(),
        new OutsideWaitRule(),
        new OutsideFlowRule(),
    ];
}
