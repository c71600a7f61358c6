using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Owners of a critical section that are gone, rest or compute while others wait for it.</summary>
internal static class OwnerCases
{
    private const uint Owner = 0x10;
    private const uint Gone = 0x98;

    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);
    private static readonly string[] s_enter = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!look_up"];
    private static readonly string[] s_sleep = ["ntdll!NtDelayExecution", "KERNELBASE!SleepEx", "app!hold"];
    private static readonly string[] s_read = ["ntdll!NtReadFile", "KERNELBASE!ReadFile", "app!load"];
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("orphaned lock, its waiter has moved", Moment.Both(SnapshotBuilder.Windows, Orphaned(Trust.Read, hasMoved: true))),
            ("orphaned lock, its waiter guessed", Moment.Alone(SnapshotBuilder.Windows, Orphaned(Trust.Scanned))),
            .. Resting("sleeps forever", s_sleep, owner => owner with { Sleep = Timeout.InfiniteTimeSpan }),
            .. Resting("sleeps for a minute", s_sleep, owner => owner with { Sleep = s_minute }),
            .. Resting("is suspended", ["app!compute"], owner => owner with { IsSuspended = true }),
            .. Resting("has returned to its pool", ["ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!", "KERNEL32!BaseThreadInitThunk"], owner => owner),
            .. Resting("waits for a message", ["win32u!NtUserGetMessage", "user32!GetMessageW", "app!main"], owner => owner),
            .. Resting("reads", s_read, owner => owner),
            ("owner is back in its loop", BackInLoop()),
            ("owner computes, a waiter has moved", Moment.Both(SnapshotBuilder.Windows, Computes)),
        ];

    private static Case BackInLoop()
    {
        LockId stock = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(Owner, "System.Threading.Monitor.Wait", "System.Collections.Concurrent.BlockingCollection.Take", "Shop.Worker.Work")
            .Thread(Owner + 1, "System.Threading.Monitor.Enter_Slowpath", "Shop.Stock.Count")
            .Lock(stock, Owner).Waits(Owner + 1, stock)
            .WaitsForSignal(Owner, 0x2000, "orders")
            .Build();
        return Case.Of(snapshot with
        {
            Managed = Known.Read(snapshot.Managed!.Value with
            {
                LockFree = Known.Derived<IReadOnlyList<ThreadId>>([new ThreadId(Owner)]),
            }),
        });
    }

    // Each way to rest, known in four ways; the policy has no row of its own for all of them.
    private static IEnumerable<(string Name, Case Case)> Resting(string does, string[] frames, Func<ThreadOptions, ThreadOptions> rests)
    {
        return
        [
            ($"owner {does}", Moment.Alone(SnapshotBuilder.Windows, Held(Trust.Read))),
            ($"owner {does}, its waiter guessed", Moment.Both(SnapshotBuilder.Windows, Held(Trust.Scanned))),
            ($"owner {does}, seen twice", Moment.Both(SnapshotBuilder.Windows, Held(Trust.Read))),
            ($"owner {does}, its waiter has moved", Moment.Both(SnapshotBuilder.Windows, Held(Trust.Read, hasMoved: true))),
        ];

        Func<SnapshotBuilder, Moment, SnapshotBuilder> Held(Trust wait, bool hasMoved = false)
            => (builder, moment) => Waits(builder.Thread(Owner, rests(moment.Thread()), frames), moment, 0x14, wait, hasMoved).Lock(s_section, Owner, "app.exe+0x10");
    }

    private static Func<SnapshotBuilder, Moment, SnapshotBuilder> Orphaned(Trust wait, bool hasMoved = false)
        => (builder, moment) => Waits(builder, moment, 0x14, wait, hasMoved).Lock(s_section, Gone, "app.exe+0x10");

    private static SnapshotBuilder Computes(SnapshotBuilder builder, Moment moment)
    {
        builder.Thread(Owner, moment.Thread(cpu: 3_000, since: 10), "app!compute").Lock(s_section, Owner, "app.exe+0x10");
        Waits(builder, moment, 0x14, Trust.Read, hasMoved: true);
        return Waits(builder, moment, 0x18, Trust.Read);
    }

    private static SnapshotBuilder Waits(SnapshotBuilder builder, Moment moment, uint waiter, Trust wait, bool hasMoved = false)
        => builder.Thread(waiter, moment.Thread(), moment.At(s_enter, hasMoved)).Waits(waiter, s_section, trust: wait);
}
