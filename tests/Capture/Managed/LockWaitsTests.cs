using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

public sealed class LockWaitsTests
{
    // The moment of the capture is known within some seconds.
    private static readonly TimeSpan s_apart = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Each_kind_of_wait_is_found_with_its_timeout(TargetFramework framework)
    {
        DumpedProcess process = await Cores.LockWaitsAsync(framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;
        ThreadTruth[] waiters = [.. ThreadTruth.Of(process).Where(thread => thread.Waits is not null)];

        Assert.Equal(framework == TargetFramework.Net8 ? 5 : 8, waiters.Length);
        Assert.Equal(
            waiters.Select(waiter => waiter.OsId).Order(),
            managed.Waits.Value.Where(wait => wait.Lock.Kind is LockKind.Monitor or LockKind.ManagedLock).Select(wait => wait.Thread).Order());
        foreach (ThreadTruth waiter in waiters)
        {
            WaitFacts wait = managed.Waits.Value.Single(wait => wait.Thread == waiter.OsId);
            Assert.Equal(waiter.Waits, managed.TypeOf(wait.Lock));
            Assert.Equal(waiter.Kind == "Lock" ? LockKind.ManagedLock : LockKind.Monitor, wait.Lock.Kind);
            Assert.Equal(waiter.Kind == "Pulse" ? WaitKind.Pulse : WaitKind.Acquire, wait.Kind);
            bool isRecorded = framework != TargetFramework.Net8 || waiter.Name is "vault-waiter" or "orphan-waiter";
            Assert.True(isRecorded ? wait.Timeout.Value == waiter.Timeout : IsWhatTheKernelWasTold(wait, waiter), $"{waiter.Name}: {wait.Timeout}");
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Who_has_got_its_pulse_waits_for_no_other(TargetFramework framework)
    {
        DumpedProcess process = await Cores.LockWaitsAsync(framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        Assert.Equal([ThreadTruth.Of(process).Single(thread => thread.Name == "pulsed-waiter").OsId], managed.Woken);
    }

    // When a wait with a limit ends, and nothing of one without.
    private static bool IsWhatTheKernelWasTold(WaitFacts wait, ThreadTruth waiter)
        => waiter.Timeout == Timeout.InfiniteTimeSpan ? !wait.Timeout.HasValue
            : wait.Timeout.Is(left => left > TimeSpan.Zero && left <= waiter.Timeout + s_apart);

    [Theory]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_Lock_that_is_waited_for_has_its_owner_entries_and_waiters(TargetFramework framework)
    {
        DumpedProcess process = await Cores.LockWaitsAsync(framework);
        LockFacts gate = Assert.Single(Cores.Read(process).Managed!.Value.Locks.Value, found => found.Id.Kind == LockKind.ManagedLock);

        Assert.True(gate.IsHeld.Value);
        Assert.Equal(ThreadTruth.Of(process).Single(thread => thread.Name == "keeper").OsId, gate.Owner.Value);
        Assert.Equal(3u, gate.Recursion.Value);
        Assert.Equal(2u, gate.WaiterCount.Value);
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_monitor_is_told_apart_by_who_has_it(TargetFramework framework)
    {
        DumpedProcess process = await Cores.LockWaitsAsync(framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        LockFacts twice = managed.LockOfType("LockWaits.Vault");
        Assert.Equal(ThreadTruth.Of(process).Single(thread => thread.Name == "keeper").OsId, twice.Owner.Value);
        Assert.Equal(2u, twice.Recursion.Value);
        Assert.Equal(2u, twice.WaiterCount.Value);

        LockFacts orphan = managed.LockOfType("LockWaits.Orphan");
        Assert.True(orphan.IsHeld.Value);
        Assert.True(orphan.OwnerHasEnded);
        Assert.False(orphan.Owner.HasValue);
        Assert.Equal(1u, orphan.WaiterCount.Value);

        // The data access counts 1000 threads here, one for each loop of a bug.
        LockFacts waitedOn = managed.LockOfType("LockWaits.Bell");
        Assert.False(waitedOn.IsHeld.Value);
        Assert.False(waitedOn.Owner.HasValue);
        Assert.Equal(0u, waitedOn.WaiterCount.Value);
    }
}
