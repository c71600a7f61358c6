using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Thread pools that could have more workers, all of whose workers are blocked.</summary>
internal static class PoolCases
{
    private const ulong Queued = 0xa000;

    private static readonly LockId s_ledger = SnapshotBuilder.Monitor(0xc000);
    private static readonly PoolWorkers s_grown = new(Processing: 2, Existing: 2, Goal: 2, Least: 1, Most: 32);
    private static readonly string[] s_waits =
        ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "Shop.Handle", "System.Threading.ThreadPoolWorkQueue.Dispatch"];

    private static readonly string[] s_gate =
        ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Handle",
            "System.Threading.ThreadPoolWorkQueue.Dispatch"];
    private static readonly string[] s_enters = ["System.Threading.Monitor.Enter_Slowpath", "Shop.Handle", "System.Threading.ThreadPoolWorkQueue.Dispatch"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("starved pool that has grown", Case.Of(Waiting().Pool(s_grown, queued: 40).Build())),
            ("starved pool that has grown and logged it", Case.Of(Waiting().Pool(s_grown, queued: 40, logged: 3).Build())),
            ("pool behind a lock that leads to its queue", Case.Of(BehindLock().Pool(s_grown, queued: 7).Build())),
            ("pool behind a lock that leads to its queue, logged", Case.Of(BehindLock().Pool(s_grown, queued: 7, logged: 3).Build())),
            ("starved pool whose workers stand", Over(Waiting, completed: 7)),
            ("starved pool whose workers complete their items", Over(Waiting, completed: 9)),
            ("pool behind a signal whose workers complete their items", Over(Gated, completed: 9)),
            ("pool behind a signal whose workers stand", Over(Gated, completed: 7)),
        ];

    // Both workers had completed seven items in the first of the samples.
    private static Case Over(Func<SnapshotBuilder, ThreadOptions?, SnapshotBuilder> describe, uint completed)
        => Moment.Both(SnapshotBuilder.Linux, (builder, moment) => describe(builder, moment.Thread())
            .Pool(s_grown, queued: 40, logged: 1)
            .Completed((1u, moment.IsEarlier ? 7u : completed), (2u, moment.IsEarlier ? 7u : completed)));

    private static SnapshotBuilder Waiting(SnapshotBuilder builder, ThreadOptions? thread)
        => builder.Thread(1, thread, s_waits).Thread(2, thread, s_waits);

    private static SnapshotBuilder Gated(SnapshotBuilder builder, ThreadOptions? thread)
        => builder.Thread(1, thread, s_gate).Thread(2, thread, s_gate).WaitsForSignal(1, 0x5000, "gate").WaitsForSignal(2, 0x5000, "gate");

    private static SnapshotBuilder Waiting() => Waiting(SnapshotBuilder.Linux(), null);

    private static SnapshotBuilder BehindLock()
        => SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "Shop.Settle")
            .Thread(2, s_enters).Thread(3, s_enters)
            .Lock(s_ledger, 1, "Shop.Ledger").Waits(2, s_ledger).Waits(3, s_ledger)
            .Task(Queued, TaskKind.Delegate, "Shop.Book").Needs(Queued, TaskNeedKind.PoolQueue).WaitsForTask(1, Queued);
}
