using HangTriage.Capture;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Tests.Capture.Managed.Polls;

/// <summary>A process with very many objects of one kind hides none of another, and says of what it keeps only some.</summary>
public sealed class VisitorTests
{
    private const int KeptOfEach = 8;

    [Fact]
    public async Task Of_each_method_some_delegates_are_kept_however_many_there_are()
    {
        DelegateVisitor all = new();
        DelegateVisitor few = new(mostInAll: 0);

        await WalkAsync(all, few);

        Assert.False(few.IsCut);
        Assert.Equal(all.Samples.Order(), few.Samples.Order());
        Assert.Contains(all.Samples, sample => all.Alike(sample).Count() > KeptOfEach);
        Assert.All(few.Samples, sample => Assert.Equal(all.Alike(sample).Count() > KeptOfEach, few.IsOfMany(sample)));
        Assert.All(few.Samples, sample => Assert.Equal(Math.Min(KeptOfEach, all.Alike(sample).Count()), few.Alike(sample).Count()));
        Assert.DoesNotContain(all.Samples, all.IsOfMany);
    }

    [Fact]
    public async Task Of_each_type_some_objects_are_kept_however_many_there_are()
    {
        InstanceVisitor all = new();
        InstanceVisitor few = new(mostInAll: 0);

        await WalkAsync(all, few);

        ulong door = Assert.Single(all.Of("GivenSignals.Program+Door")!);
        Assert.Equal(door, Assert.Single(few.Of("GivenSignals.Program+Door")!));
    }

    private static async Task WalkAsync(params IHeapVisitor[] visitors)
    {
        DumpedProcess process = await Cores.TargetAsync("GivenSignals", TargetFramework.Net10);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();
        Assert.Empty(HeapWalk.Run(runtime, CaptureContext.Default, visitors));
    }
}
