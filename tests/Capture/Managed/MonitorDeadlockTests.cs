using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.Capture.Managed;

public sealed class MonitorDeadlockTests
{
    public static TheoryData<TargetFramework, DumpType> Dumps => new()
    {
        { TargetFramework.Net10, DumpType.Full },
        { TargetFramework.Net10, DumpType.WithHeap },
        { TargetFramework.Net9, DumpType.Full },
        { TargetFramework.Net8, DumpType.Full },
    };

    [Theory]
    [MemberData(nameof(Dumps))]
    public async Task Each_monitor_has_the_owner_that_the_program_printed(TargetFramework framework, DumpType type)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, type);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        ThreadTruth[] holders = [.. ThreadTruth.Of(process).Where(thread => thread.Holds is not null)];
        Assert.Equal(4, holders.Length);
        foreach (ThreadTruth holder in holders)
        {
            LockFacts monitor = managed.LockOfType(holder.Holds!);
            Assert.Equal(LockKind.Monitor, monitor.Id.Kind);
            Assert.True(monitor.IsHeld.Value);
            Assert.Equal(holder.OsId, monitor.Owner.Value);
            Assert.False(monitor.OwnerHasEnded);
            Assert.Equal(1u, monitor.Recursion.Value);
            Assert.Equal((uint)ThreadTruth.Of(process).Count(thread => thread.Waits == holder.Holds), monitor.WaiterCount.Value);
        }

        Assert.Equal(holders.Length, managed.Locks.Value.Count);
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public async Task Each_thread_waits_for_the_lock_that_the_program_printed(TargetFramework framework, DumpType type)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, type);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        Assert.Equal(
            ThreadTruth.Of(process).Select(thread => (thread.OsId, thread.Waits!)).Order(),
            managed.Waits.Value.Select(wait => (wait.Thread, managed.TypeOf(wait.Lock))).Order());
        Assert.All(managed.Waits.Value, wait =>
        {
            Assert.Equal(WaitKind.Acquire, wait.Kind);
            Assert.Equal(Timeout.InfiniteTimeSpan, wait.Timeout.Value);
            Assert.Equal(framework == TargetFramework.Net8 ? Trust.Derived : Trust.Read, wait.Trust);
        });
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public async Task Threads_have_their_ids_names_and_the_frame_that_locks(TargetFramework framework, DumpType type)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, type);
        ProcessSnapshot snapshot = Cores.Read(process);
        Dictionary<string, string> methods = new()
        {
            ["order-intake"] = "MonitorDeadlock.Program.ReserveStock",
            ["stock-keeper"] = "MonitorDeadlock.Program.BookStock",
            ["book-keeper"] = "MonitorDeadlock.Program.SettleOrders",
            ["report-writer"] = "MonitorDeadlock.Program.WriteReport",
            ["report-mailer"] = "MonitorDeadlock.Program.MailReport",
        };

        Assert.Equal(methods.Count, ThreadTruth.Of(process).Count);
        foreach (ThreadTruth truth in ThreadTruth.Of(process))
        {
            ThreadFacts thread = snapshot.Threads.Value.Single(thread => thread.OsId == truth.OsId);
            Assert.Equal(truth.ManagedId, thread.ManagedId);
            Assert.Equal(truth.Name, thread.Name.Value);
            FrameFacts frame = Assert.Single(thread.Stack.Frames, frame => frame.Method == methods[truth.Name]);
            Assert.Equal(FrameKind.Managed, frame.Kind);
            Assert.Equal("MonitorDeadlock.dll", frame.Module);
            Assert.Equal(Trust.Derived, frame.Trust);
            Assert.InRange(frame.MethodOffset!.Value, 1u, 4_096u);
            Assert.Contains(thread.Stack.Frames.TakeWhile(inner => inner != frame), inner => inner.Method?.StartsWith("System.Threading.Monitor.", StringComparison.Ordinal) == true);
            Assert.Equal(Trust.Read, thread.Stack.Frames[0].Trust);
        }
    }

    [Theory]
    [MemberData(nameof(Dumps))]
    public async Task The_process_and_its_runtime_are_named(TargetFramework framework, DumpType type)
    {
        DumpedProcess process = await Cores.SampleAsync("MonitorDeadlock", framework, type);
        ProcessSnapshot snapshot = Cores.Read(process);

        Assert.Equal(process.Ready["pid"], $"{snapshot.Target.Pid.Value}");
        Assert.Equal("MonitorDeadlock", snapshot.Target.ProcessName.Value);
        RuntimeFacts runtime = Assert.Single(snapshot.Target.Runtimes.Value);
        Assert.Equal("CoreCLR", runtime.Flavor);
        Assert.Equal(process.Ready["runtime"], runtime.Version.Value);
        Assert.Equal(runtime, snapshot.Managed!.Value.Runtime);
        Assert.Contains(snapshot.Modules.Value, module => module.Name == "libcoreclr.so");
        Assert.All(snapshot.Modules.Value, module => Assert.DoesNotContain('/', module.Name));
    }
}
