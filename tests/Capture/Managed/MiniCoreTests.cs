using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>A mini core has threads and stacks but no heap; the runtime's data access answers as if nothing were locked.</summary>
public sealed class MiniCoreTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task What_rests_on_the_heap_is_a_gap_and_not_nothing(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, DumpType.Normal);
        ProcessSnapshot snapshot = Cores.Read(process);
        ManagedFacts managed = snapshot.Managed!.Value;

        Assert.Contains("mini", managed.Locks.Gap?.Why, StringComparison.Ordinal);
        Assert.Contains("mini", managed.Waits.Gap?.Why, StringComparison.Ordinal);
        Assert.All(ThreadTruth.Of(process), truth => Assert.False(snapshot.Threads.Value.Single(thread => thread.OsId == truth.OsId).Name.HasValue));
    }

    [Fact]
    public async Task Stacks_and_managed_ids_are_still_read()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Normal);
        ProcessSnapshot snapshot = Cores.Read(process);

        foreach (ThreadTruth truth in ThreadTruth.Of(process))
        {
            ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.OsId == truth.OsId);
            Assert.Equal(truth.ManagedId, thread.ManagedId);
            Assert.Contains(thread.Stack.Frames, frame => frame.Method == "System.Threading.Monitor.Enter");
        }
    }
}
