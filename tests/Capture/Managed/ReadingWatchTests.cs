using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Whoever ends a reading that is stuck has to hear of one that is not, however long it takes.</summary>
public sealed class ReadingWatchTests
{
    [Fact]
    public async Task Every_module_thread_and_frame_is_a_step()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full);
        Steps steps = new();

        ProcessSnapshot snapshot = LinuxCoreCapture.Read(process.CorePath, Cores.ContextOf(process) with { Watch = steps });

        int frames = snapshot.Threads.Value.Where(thread => thread.ManagedId is not null).Sum(thread => thread.Stack.Frames.Count);
        Assert.InRange(steps.Count, snapshot.Modules.Value.Count + snapshot.Threads.Value.Count + frames, int.MaxValue);
        Assert.False(steps.IsOpen);
    }

    [Fact]
    public async Task A_core_that_cannot_be_read_ends_the_watch_too()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Normal);
        Steps steps = new();
        CaptureContext cancelled = CaptureContext.Default with { Watch = steps, Cancellation = new CancellationToken(canceled: true) };

        Assert.Throws<OperationCanceledException>(() => LinuxCoreCapture.Read(process.CorePath, cancelled));

        Assert.False(steps.IsOpen);
    }

    private sealed class Steps : IReadingWatch
    {
        public int Count { get; private set; }

        public bool IsOpen { get; private set; }

        public void Begin() => IsOpen = true;

        public void Step()
        {
            Assert.True(IsOpen);
            Count++;
        }

        public void End() => IsOpen = false;
    }
}
