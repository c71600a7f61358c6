using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Runtime;
using Microsoft.Diagnostics.Runtime.DataReaders.Implementation;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>The facts hold as much as ClrMD itself counts.</summary>
public sealed class ClrMdAgreementTests
{
    [Fact]
    public async Task Threads_frames_and_held_monitors_are_as_many_as_ClrMD_counts()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full);
        ProcessSnapshot snapshot = Cores.Read(process);
        using DataTarget target = DataTarget.LoadDump(process.CorePath);
        using ClrRuntime runtime = target.ClrVersions.Single().CreateRuntime();

        Assert.Equal(
            ((IThreadReader)target.DataReader).EnumerateOSThreadIds(),
            snapshot.Threads.Value.Select(thread => thread.OsId.Value));
        Assert.Equal(
            runtime.Threads.Where(thread => thread.IsAlive).ToDictionary(thread => thread.OSThreadId, thread => thread.EnumerateStackTrace().Count()),
            snapshot.Threads.Value.Where(thread => thread.ManagedId is not null).ToDictionary(thread => thread.OsId.Value, thread => thread.Stack.Frames.Count));
        Assert.Equal(
            runtime.Heap.EnumerateSyncBlocks().Where(block => block.IsMonitorHeld).Select(block => block.Object).Order(),
            snapshot.Managed!.Value.Locks.Value.Where(found => found.IsHeld.Value).Select(found => found.Id.Address.Value).Order());
    }

    [Fact]
    public async Task A_thread_without_managed_code_has_its_innermost_frame_and_a_gap()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full);
        ThreadFacts[] native = [.. Cores.Read(process).Threads.Value.Where(thread => thread.ManagedId is null)];

        Assert.NotEmpty(native);
        Assert.All(native, thread =>
        {
            Assert.NotNull(thread.Stack.Stopped);
            Assert.Equal(FrameKind.Native, Assert.Single(thread.Stack.Frames).Kind);
            Assert.False(thread.Name.HasValue);
        });
    }

    [Fact]
    public async Task Processor_times_that_the_writer_left_empty_are_a_gap()
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Full);

        Assert.All(Cores.Read(process).Threads.Value, thread => Assert.False(thread.Cpu.HasValue));
    }
}
