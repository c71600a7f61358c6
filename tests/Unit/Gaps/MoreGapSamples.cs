using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>Hangs that no page's example shows, and that rest on facts which those lack.</summary>
internal static class MoreGapSamples
{
    private static readonly LockId s_section = SnapshotBuilder.Section(0xa000);
    private static readonly LockId s_other = SnapshotBuilder.Section(0xb000);
    private static readonly LockId s_monitor = SnapshotBuilder.Monitor(0xc000);
    private static readonly LockId s_otherMonitor = SnapshotBuilder.Monitor(0xe000);
    private static readonly TimeSpan s_short = TimeSpan.FromSeconds(5);
    private static readonly string[] s_enters = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!look_up"];
    private static readonly string[] s_sleeps = ["ntdll!NtDelayExecution", "KERNELBASE!SleepEx", "app!work"];
    private static readonly string[] s_drains = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrLoadDll", "KERNELBASE!LoadLibraryExW", "app!"];
    private static readonly string[] s_spins = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "mkl_core!", "ntdll!", "ntdll!LdrShutdownThread"];
    private static readonly ThreadOptions s_busy = new() { Cpu = new CpuTime(TimeSpan.FromMinutes(134), TimeSpan.Zero), Life = TimeSpan.FromMinutes(135) };

    public static IReadOnlyDictionary<string, Case> All { get; } = new Dictionary<string, Case>
    {
        ["an owner sleeps forever"] = Owner(new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, s_sleeps),
        ["owner sleeps for long"] = Owner(new ThreadOptions { Sleep = TimeSpan.FromMinutes(1) }, s_sleeps),
        ["owner suspended"] = Owner(new ThreadOptions { IsSuspended = true }, "app!work"),
        ["owner pauses"] = Owner(s_busy with { Loop = Known.Derived(new LoopFacts(new Address(0x10), new Address(0x20), 3, HasPause: true, 0)) }, "app!work"),
        ["owner in a call of Linux"] = InCall("futex", hasTimeout: false),
        ["owner in a read of Linux"] = InCall("read", hasTimeout: false),
        ["load owner spins"] = Case.Of(SnapshotBuilder.Windows().Thread(0x10, s_drains).Thread(0x11, s_busy with { IsLoadOwner = true }, s_spins).Build()),
        ["loader lock waited for"] = Case.Of(SnapshotBuilder.Windows()
            .Thread(0x10, new ThreadOptions { WaitingOnLoaderLock = true }, "ntdll!NtWaitForSingleObject", "app!load").Thread(0x11, s_busy, s_spins).LoaderLock(0x11).Build()),
        ["two windows"] = Case.Of(SnapshotBuilder.Windows()
            .Thread(0x10, "win32u!NtUserMessageCall", "user32!SendMessageW", "app!tell")
            .Thread(0x11, new ThreadOptions { IsGuiThread = true }, s_enters).Thread(0x12, new ThreadOptions { IsGuiThread = true }, "ntdll!NtWaitForSingleObject", "app!idle")
            .Lock(s_section, 0x10).Waits(0x11, s_section).Build()),
        ["moved by its processor time"] = Twice(new CpuTime(TimeSpan.FromSeconds(9), TimeSpan.Zero), (s_monitor, s_otherMonitor), s_otherMonitor),
        ["moved from another lock"] = Twice(new CpuTime(TimeSpan.Zero, TimeSpan.Zero), (s_section, s_other), SnapshotBuilder.Section(0xd000)),
        ["promise with a timeout"] = Case.Of(SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Tasks.Task.InternalWaitCore", "App.Work.Run").Thread(0x11, "System.Threading.Tasks.Task.InternalWaitCore", "App.Work.Run")
            .Task(0x1000, TaskKind.Promise).Needs(0x1000, TaskNeedKind.Nobody).WaitsForTask(0x10, 0x1000, s_short).WaitsForTask(0x11, 0x1000, s_short).Build()),
        ["pool that logged it"] = Case.Of(Pool()),
    };

    private static Case Owner(ThreadOptions options, params string[] frames) => Case.Of(SnapshotBuilder.Windows()
        .Thread(0x10, options, frames).Thread(0x11, new ThreadOptions { IsSuspended = options.IsSuspended is null ? null : false }, s_enters)
        .Lock(s_section, 0x10).Waits(0x11, s_section).Build());

    private static Case InCall(string call, bool hasTimeout) => Case.Of(SystemCalls.With(
        SnapshotBuilder.Linux().Thread(0x10, "libc!wrapped", "app!work").Thread(0x11, "System.Threading.Monitor.Enter_Slowpath", "App.Enter")
            .Lock(s_monitor, 0x10).Waits(0x11, s_monitor).Build(),
        0x10,
        call,
        hasTimeout));

    // A deadlock now, and ten seconds ago.
    private static Case Twice(CpuTime now, (LockId First, LockId Second) locks, LockId wantedThen) => Case.Of(
    [
        Deadlock(SnapshotBuilder.Windows().Earlier(TimeSpan.FromSeconds(10)), new CpuTime(TimeSpan.Zero, TimeSpan.Zero), TimeSpan.FromMinutes(1), locks, wantedThen),
        Deadlock(SnapshotBuilder.Windows(), now, TimeSpan.FromSeconds(70), locks, locks.Second),
    ]);

    private static ProcessSnapshot Deadlock(SnapshotBuilder builder, CpuTime cpu, TimeSpan life, (LockId First, LockId Second) locks, LockId wanted)
    {
        ThreadOptions options = new() { Cpu = cpu, Life = life };
        return builder.Thread(0x10, options, s_enters).Thread(0x11, options, s_enters)
            .Lock(locks.First, 0x10).Lock(locks.Second, 0x11).Waits(0x10, wanted, trust: Trust.Derived).Waits(0x11, locks.First, trust: Trust.Derived).Build();
    }

    private static ProcessSnapshot Pool()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        string[] blocked =
        [
            "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.InternalWaitCore", "App.Work.Run",
            "System.Threading.ThreadPoolWorkQueue.Dispatch", "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart",
        ];
        ProcessSnapshot snapshot = builder.Thread(0x10, blocked).Thread(0x11, blocked).Pool(new PoolWorkers(2, 2, 2, 2, 32), 9).Build();
        return snapshot with
        {
            Managed = snapshot.Managed!.Select(managed => managed with { Pool = managed.Pool!.Select(pool => pool with { StarvationEntries = Known.Read(3u) }) }),
        };
    }
}
