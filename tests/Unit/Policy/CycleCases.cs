using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Circles of each kind: how well the waits are known, whether they end by themselves, and whether the threads stayed.</summary>
internal static class CycleCases
{
    private const ulong Awaited = 0xa000;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(5);
    private static readonly string[] s_monitor = ["System.Threading.Monitor.Enter_Slowpath", "App.Second"];
    private static readonly string[] s_section = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!second"];
    private static readonly string[] s_task = ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "App.Click", "App.UiLoop.Run"];

    private delegate SnapshotBuilder Circle(SnapshotBuilder builder, Moment moment, Waits waits);

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            .. Of("monitors", SnapshotBuilder.Linux, (builder, moment, waits) => Locks(builder, moment, waits, SnapshotBuilder.Monitor, s_monitor)),
            .. Of("sections", SnapshotBuilder.Windows, (builder, moment, waits) => Locks(builder, moment, waits, SnapshotBuilder.Section, s_section)),
            .. Of("a task and a lock", SnapshotBuilder.Linux, Task),
            .. Of("a task and its context", SnapshotBuilder.Linux, Context),
            ("a thread waits for its own end", Case.Of(SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Stop").Joins(1, 1).Build())),
        ];

    private static IEnumerable<(string Name, Case Case)> Of(string through, Func<SnapshotBuilder> begin, Circle circle)
    {
        return
        [
            ($"circle of {through}, a timeout", Alone(new Waits(Trust.Read) { Timeout = s_timeout })),
            ($"circle of {through}, a timeout of hours", Alone(new Waits(Trust.Read) { Timeout = TimeSpan.FromHours(2) })),
            ($"circle of {through}, a timeout unknown", Alone(new Waits(Trust.Read) { IsTimeoutUnknown = true })),
            ($"circle of {through}, concluded", Alone(new Waits(Trust.Derived))),
            ($"circle of {through}, guessed", Alone(new Waits(Trust.Scanned))),
            ($"circle of {through}, concluded, seen twice", Both(new Waits(Trust.Derived))),
            ($"circle of {through}, read, a thread has moved", Both(new Waits(Trust.Read) { HasMoved = true })),
            ($"circle of {through}, guessed, a thread has moved", Both(new Waits(Trust.Scanned) { HasMoved = true })),
        ];

        Case Alone(Waits waits) => Moment.Alone(begin, (builder, moment) => circle(builder, moment, waits));
        Case Both(Waits waits) => Moment.Both(begin, (builder, moment) => circle(builder, moment, waits));
    }

    private static SnapshotBuilder Locks(SnapshotBuilder builder, Moment moment, Waits waits, Func<ulong, LockId> @lock, string[] enter)
        => Wait(
            builder
                .Thread(1, moment.Thread(), enter)
                .Thread(2, moment.Thread(), moment.At(enter, waits.HasMoved))
                .Lock(@lock(0x1000), 1).Lock(@lock(0x2000), 2)
                .Waits(1, @lock(0x2000), trust: waits.Trust),
            2,
            @lock(0x1000),
            waits);

    private static SnapshotBuilder Task(SnapshotBuilder builder, Moment moment, Waits waits)
        => Wait(
            builder
                .Thread(1, moment.Thread(), s_task)
                .Thread(2, moment.Thread(), moment.At(s_monitor, waits.HasMoved))
                .Lock(SnapshotBuilder.Monitor(0x1000), 1)
                .Task(Awaited, TaskKind.Delegate, "App.Compute").Needs(Awaited, TaskNeedKind.Thread, thread: 2)
                .WaitsForTask(1, Awaited, trust: waits.Trust),
            2,
            SnapshotBuilder.Monitor(0x1000),
            waits);

    private static SnapshotBuilder Context(SnapshotBuilder builder, Moment moment, Waits waits)
    {
        builder.Thread(1, moment.Thread(), moment.At(s_task, waits.HasMoved)).UiThread(1, "App.UiLoop", "App.UiLoop.Run")
            .Task(Awaited, TaskKind.AsyncMethod, "App.ClickAsync").Needs(Awaited, TaskNeedKind.Context, thread: 1)
            .WaitsForTask(1, Awaited, waits.Timeout, waits.Trust);
        return waits.IsTimeoutUnknown ? builder.WithUnknownTaskTimeout() : builder;
    }

    private static SnapshotBuilder Wait(SnapshotBuilder builder, uint thread, LockId @lock, Waits waits)
    {
        builder.Waits(thread, @lock, waits.Timeout, trust: waits.Trust);
        return waits.IsTimeoutUnknown ? builder.WithUnknownTimeout() : builder;
    }

    private sealed record Waits(Trust Trust)
    {
        public TimeSpan? Timeout { get; init; }

        public bool IsTimeoutUnknown { get; init; }

        /// <summary>A thread was elsewhere in the first sample.</summary>
        public bool HasMoved { get; init; }
    }
}
