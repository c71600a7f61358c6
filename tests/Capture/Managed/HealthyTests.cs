using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

public sealed class HealthyTests
{
    [Fact]
    public async Task Nobody_waits_for_an_owner_except_the_relay()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        ProcessSnapshot snapshot = Cores.Read(process);
        ManagedFacts managed = snapshot.Managed!.Value;

        // One of the two relay threads may be caught at the lock that the other has for a millisecond.
        WaitFacts[] acquires = [.. managed.Waits.Value.Where(wait => wait.Kind == WaitKind.Acquire)];
        Assert.All(acquires, wait => Assert.Equal("Healthy.Baton", managed.TypeOf(wait.Lock)));
        Assert.All(acquires, wait => Assert.StartsWith("relay-", NameOf(snapshot, wait.Thread), StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_thread_that_waits_for_a_pulse_is_found_and_its_monitor_is_free()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        ProcessSnapshot snapshot = Cores.Read(process);
        ManagedFacts managed = snapshot.Managed!.Value;

        WaitFacts wait = managed.Waits.Value.Single(wait => NameOf(snapshot, wait.Thread) == "pulse-waiter");
        Assert.Equal(WaitKind.Pulse, wait.Kind);
        Assert.False(managed.Locks.Value.Single(found => found.Id == wait.Lock).IsHeld.Value);
    }

    private static string NameOf(ProcessSnapshot snapshot, ThreadId thread) => snapshot.Threads.Value.Single(found => found.OsId == thread).Name.Value;
}
