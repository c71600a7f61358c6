using HangTriage.Capture;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Heap;

public sealed class HeapWalkTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task It_meets_the_objects_that_ClrMD_meets(TargetFramework framework)
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", framework, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ObjectList list = new(_ => true);

        Assert.Empty(HeapWalk.Run(runtime, CaptureContext.Default, [list]));

        Assert.Equal(
            runtime.Heap.EnumerateObjects().Where(found => !found.IsFree).Select(found => (found.Address, found.Type!.Name)),
            list.Objects.Select(found => (found.Address, found.Type.Name)));
        Assert.All(list.Objects, found => Assert.Equal((found.Type.Heap.GetObject(found.Address).Size + 7) & ~7UL, found.Size));
    }

    [Fact]
    public async Task Each_visitor_sees_what_it_wants_and_its_fields()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        ObjectList threads = new(type => type.Name == "System.Threading.Thread");
        ObjectList strings = new(type => type.IsString);

        HeapWalk.Run(runtime, CaptureContext.Default, [threads, strings]);

        Assert.NotEmpty(strings.Objects);
        Assert.All(strings.Objects, found => Assert.True(found.Type.IsString));
        ClrInstanceField id = threads.Objects[0].Type.GetFieldByName("_managedThreadId")!;
        Assert.Equal(
            threads.Objects.Select(found => id.Read<int>(found.Address, interior: false)),
            threads.Objects.Select(found => BitConverter.ToInt32(found.Fields, id.Offset)));
        Assert.Contains(runtime.Threads.First(thread => thread.IsAlive).ManagedThreadId, threads.Objects.Select(found => BitConverter.ToInt32(found.Fields, id.Offset)));
    }

    [Fact]
    public async Task It_stops_when_it_is_told_to()
    {
        DumpedProcess process = await Cores.SampleAsync("Healthy", TargetFramework.Net10, DumpType.Full);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        using CancellationTokenSource stop = new();
        await stop.CancelAsync();

        Assert.Throws<OperationCanceledException>(() => HeapWalk.Run(runtime, CaptureContext.Default with { Cancellation = stop.Token }, []));
    }
}
