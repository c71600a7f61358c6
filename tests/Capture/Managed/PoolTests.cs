using System.Globalization;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The thread pool's counts, against what the program was told by the pool itself and what ClrMD says.</summary>
public sealed class PoolTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Workers_and_queued_items_are_what_the_pool_told_the_program(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("PoolStarvation", framework, DumpType.Full);
        PoolFacts pool = Cores.Read(process).Managed!.Value.Pool!.Value;
        IReadOnlyDictionary<string, string> truth = process.Records("pending").Single();

        Assert.Equal(Number(truth["pending"]), pool.Queued.Value.Total());
        Assert.Equal(Number(truth["workers"]), pool.Workers.Value.Existing);
        Assert.Equal(Number(truth["workers"]), pool.Workers.Value.Processing);
        Assert.Equal(Number(truth["most"]), pool.Workers.Value.Most);
        Assert.Equal(2u, pool.Workers.Value.Least);
        Assert.Equal(pool.Workers.Value.Existing, (uint)pool.Completed!.Count);
        Assert.All(pool.Completed, worker => Assert.True(worker.Completed < 1_000));
    }

    [Theory]
    [InlineData("PoolStarvation")]
    [InlineData("IdlePool")]
    public async Task Counts_are_those_of_ClrMD(string sample)
    {
        DumpedProcess process = await Cores.SampleAsync(sample, TargetFramework.Net10, DumpType.Full);
        PoolWorkers workers = Cores.Read(process).Managed!.Value.Pool!.Value.Workers.Value;
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ClrThreadPool pool = runtime.ThreadPool!;

        Assert.Equal(
            (pool.MinThreads, pool.MaxThreads, pool.ActiveWorkerThreads, pool.IdleWorkerThreads),
            ((int)workers.Least, (int)workers.Most, (int)workers.Processing, (int)(workers.Existing - workers.Processing)));
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Queued_items_end_waits_by_their_objects_and_their_code(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("PoolGates", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        PoolFacts pool = snapshot.Managed!.Value.Pool!.Value;
        string[] methods = [.. pool.Ends!.Select(end => end.Method.Split(">b__")[0]).Distinct().Order(StringComparer.Ordinal)];

        // The item that takes a turn before it gives one back is not among them.
        Assert.Equal(["PoolGates.Program+<>c.<AwaitMail", "PoolGates.Program+Journal.<Write", "PoolGates.Program.FinishAsync"], methods);
        Assert.Equal(4, pool.Ends!.Select(end => end.Lock).Distinct().Count());
        Assert.All(pool.Ends!, end => Assert.Contains(snapshot.Managed.Value.Waits.Value, wait => wait.Lock == end.Lock));
    }

    [Fact]
    public async Task A_program_that_never_used_the_pool_has_none()
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", TargetFramework.Net10);

        Assert.Null(Cores.Read(process).Managed!.Value.Pool);
    }

    private static uint Number(string text) => uint.Parse(text, CultureInfo.InvariantCulture);
}
