using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Owners of the loader or of a critical section that spin.</summary>
internal static class SpinCases
{
    private const uint Owner = 0x10;
    private const uint Waiter = 0x14;

    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);
    private static readonly string[] s_spin = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "spin!poll", "ntdll!LdrShutdownThread"];
    private static readonly string[] s_enter = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!look_up"];
    private static readonly string[] s_loads = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrLoadDll", "app!load"];
    private static readonly Known<LoopFacts> s_loop = Known.Derived(new LoopFacts(new Address(0x10), new Address(0x20), 5, false, 2));

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("loader's owner spins, seen twice", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => Loader(builder, moment, moment.Thread(cpu: 3_000, since: 9)))),
            ("loader's owner spins, its waiter guessed", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) =>
                Loader(builder, moment, moment.Thread(cpu: 3_000), scannedFrom: 1))),
            ("loader's owner spins, its waiter has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Loader(builder, moment, moment.Thread(cpu: 3_000, since: 9), hasWaiterMoved: true))),
            ("loader's owner spins since lately", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) => Loader(builder, moment, moment.Thread(cpu: 20) with { Loop = s_loop }))),
            ("loader's owner spins at the same place, its CPU time unknown", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Loader(builder, moment, moment.Thread() with { Cpu = null }))),
            ("owner spins in a loop, its CPU time unknown", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) =>
                Section(builder, moment, moment.Thread() with { Cpu = null, Loop = s_loop }))),
            ("owner spins, seen twice", Moment.Both(SnapshotBuilder.Windows, (builder, moment) => Section(builder, moment, moment.Thread(cpu: 3_000, since: 9)))),
            ("owner spins, its waiter has moved", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Section(builder, moment, moment.Thread(cpu: 3_000, since: 9), hasWaiterMoved: true))),
            ("owner spins, it was elsewhere", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Section(builder, moment, moment.Thread(cpu: 3_000, since: 9), hasOwnerMoved: true))),
            ("owner spins since lately", Moment.Alone(SnapshotBuilder.Windows, (builder, moment) => Section(builder, moment, moment.Thread(cpu: 20) with { Loop = s_loop }))),
            ("owner spins at the same place, its CPU time unknown", Moment.Both(SnapshotBuilder.Windows, (builder, moment) =>
                Section(builder, moment, moment.Thread() with { Cpu = null }))),
        ];

    private static SnapshotBuilder Loader(SnapshotBuilder builder, Moment moment, ThreadOptions owner, int? scannedFrom = null, bool hasWaiterMoved = false)
        => builder
            .Thread(Owner, owner, s_spin)
            .Thread(Waiter, moment.Thread() with { ScannedFrom = scannedFrom }, moment.At(s_loads, hasWaiterMoved))
            .LoaderLock(Owner);

    private static SnapshotBuilder Section(SnapshotBuilder builder, Moment moment, ThreadOptions owner, bool hasOwnerMoved = false, bool hasWaiterMoved = false)
        => builder
            .Thread(Owner, owner, moment.At(s_spin, hasOwnerMoved))
            .Thread(Waiter, moment.Thread(), moment.At(s_enter, hasWaiterMoved))
            .Lock(s_section, Owner, "app.exe+0x10").Waits(Waiter, s_section);
}
