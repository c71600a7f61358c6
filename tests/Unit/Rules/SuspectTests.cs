using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// A wait without a reason to end and without a reason to idle keeps the process from being called healthy where it matters.
/// </summary>
public sealed class SuspectTests
{
    private static readonly LockId s_event = new(LockKind.ManagedEvent, new Address(0xe000));

    [Theory]
    [InlineData("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < App.Program.Main", VerdictKind.Inconclusive, Weight.MainThread)]
    [InlineData("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < System.Threading.ThreadPoolWorkQueue.Dispatch", VerdictKind.Inconclusive, Weight.InWorkItem)]
    [InlineData("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < App.Worker.Loop", VerdictKind.NotHung, Weight.None)]
    [InlineData("ntdll!NtWriteFile < KERNELBASE!WriteFile < System.ConsolePal.Write < System.IO.ConsoleStream.Write < App.Orders.Load < App.Program.Main", VerdictKind.NotHung, null)]
    public void What_the_thread_is_for_says_whether_its_wait_matters(string stack, VerdictKind expected, Weight? weight)
    {
        Verdict verdict = Triage.Judge(Waiting(stack)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        if (weight is null)
        {
            Assert.DoesNotContain(verdict.Suspects, found => found.Matters);
            return;
        }

        Suspect suspect = Assert.Single(verdict.Suspects);
        Assert.Equal(weight, suspect.Weight);
        Assert.Contains(" Orders.Load", suspect.Title.Text, StringComparison.Ordinal);
        Assert.Equal(expected == VerdictKind.Inconclusive, verdict.Title.Text.Contains(" Orders.Load", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Interop+Sys.Read < System.ConsolePal.Read < System.IO.StdInReader.ReadLine < System.Console.ReadLine < App.Program.Main")]
    [InlineData("Interop+Sys.Read < System.ConsolePal+UnixConsoleStream.Read < System.IO.StreamReader.ReadLine < App.Program.Main")]
    [InlineData("Interop+Sys.Read < System.ConsolePal+UnixConsoleStream.Read < App.Program.Main")]
    [InlineData("System.Threading.Monitor.Wait < System.Threading.Tasks.Task.SpinThenBlockingWait < Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.Run < App.Program.Main")]
    [InlineData("System.Threading.Monitor.Wait < System.Collections.Concurrent.BlockingCollection<System.__Canon>.TryTakeWithNoTimeValidation < App.Program.Main")]
    [InlineData("System.Net.Sockets.Socket.Accept < App.Server.Loop < System.Threading.ThreadPoolWorkQueue.Dispatch")]
    [InlineData("System.Threading.Thread.Sleep < App.Program.Main")]
    [InlineData("System.Threading.Thread.Join < App.Program.Main")]
    public void A_wait_that_is_idling_by_design_is_no_suspect(string stack)
    {
        Verdict verdict = Triage.Judge(Waiting(stack)).Verdict;

        Assert.Empty(verdict.Suspects);
        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
    }

    [Fact]
    public void A_wait_with_a_time_limit_is_known_to_end()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, Frames("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < App.Program.Main"))
            .Waits(1, s_event, TimeSpan.FromSeconds(5), WaitKind.Signal).Build()).Verdict;

        Assert.Empty(verdict.Suspects);
        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
    }

    [Theory]
    [InlineData(5, VerdictKind.NotHung)]
    [InlineData(60, VerdictKind.Inconclusive)]
    public void A_time_limit_of_an_hour_that_the_runtime_records_is_no_end(int minutes, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "App.Program.Main")
            .Thread(2, Frames("System.Threading.Monitor.Wait < System.Threading.SemaphoreSlim.Wait < App.Index.Rebuild"))
            .Joins(1, 2)
            .WaitsForSignal(2, 0x5000, "slot", TimeSpan.FromMinutes(minutes));

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 2, "futex", hasTimeout: true)).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, null, VerdictKind.Inconclusive)]
    [InlineData(true, 5, VerdictKind.NotHung)]
    [InlineData(false, null, VerdictKind.Deadlock)]
    public void A_circle_that_a_time_out_of_unknown_length_can_end_is_not_called_healthy(bool hasTimeout, int? seconds, VerdictKind expected)
    {
        (LockId first, LockId second) = (SnapshotBuilder.Monitor(0xa000), SnapshotBuilder.Monitor(0xb000));
        TimeSpan? limit = seconds is { } known ? TimeSpan.FromSeconds(known) : null;
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        Blocks(2, first, second);
        Blocks(3, second, first);

        ProcessSnapshot snapshot = SystemCalls.With(SystemCalls.With(builder.Build(), 2, "futex", hasTimeout), 3, "futex", hasTimeout);

        Assert.Equal(expected, Triage.Judge(snapshot).Verdict.Kind);

        void Blocks(uint thread, LockId has, LockId wants)
        {
            builder.Thread(thread, Frames("System.Threading.Monitor.TryEnter_Slowpath < App.Orders.Book")).Lock(has, thread).Waits(thread, wants, limit);
            builder = limit is null ? builder.WithUnknownTimeout() : builder;
        }
    }

    [Theory]
    [InlineData("App.Solver.Step", VerdictKind.NotHung)]
    [InlineData("System.Threading.Thread.Sleep", VerdictKind.Inconclusive)]
    public void A_signal_that_a_thread_leads_to_comes_where_that_thread_computes(string top, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Monitor.Wait", "System.Threading.CountdownEvent.Wait", "App.Program.Main")
            .Thread(2, top, "App.Solver.Run")
            .WaitsForSignal(1, 0x5000, "left")
            .ReachedBy(1, 2)
            .Running("thread 0x2");

        Assert.Equal(expected, Triage.Judge(builder.Build()).Verdict.Kind);
        Assert.Equal(VerdictKind.NeverCompleted, Triage.Judge(Case.Of(builder.Build()) with { IsSaidToHang = true }).Verdict.Kind);
    }

    [Fact]
    public void A_thread_that_holds_a_lock_matters_though_nobody_waits_for_the_lock()
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(7, Frames("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < App.Worker.Loop"))
            .Lock(gate, 7).Build()).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(Weight.HoldsLock, Assert.Single(verdict.Suspects).Weight);
    }

    [Fact]
    public void Threads_that_wait_for_one_thing_in_one_method_are_one_suspect()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 1; id <= 5; id++)
        {
            builder.Thread(id, Frames("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < System.Threading.ThreadPoolWorkQueue.Dispatch"));
        }

        Assert.Equal(5, Assert.Single(Triage.Judge(builder.Build()).Verdict.Suspects).Waiters.Count);
    }

    [Theory]
    [InlineData("System.Threading.WaitHandle.WaitOneNoCheck < App.Orders.Load < App.Worker.Loop", VerdictKind.NeverCompleted)]
    [InlineData("ntdll!NtReadFile < KERNELBASE!ReadFile < app!load < app!main", VerdictKind.BlockedOnExternal)]
    public void Where_the_user_says_that_it_hangs_the_best_suspect_is_the_verdict(string stack, VerdictKind expected)
    {
        Case said = Waiting(stack) with { IsSaidToHang = true };

        Verdict verdict = Triage.Judge(said).Verdict;

        Assert.Equal((expected, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Equal(0x1u, verdict.Culprit?.Thread?.Value);
    }

    [Fact]
    public void Where_the_user_says_that_it_hangs_and_nothing_is_suspect_it_is_not_called_healthy()
    {
        Case idle = Waiting("System.Threading.Thread.Sleep < App.Program.Main");

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(idle).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(idle with { IsSaidToHang = true }).Verdict.Kind);
    }

    private static Case Waiting(string stack)
        => Case.Of((stack.Contains("ntdll", StringComparison.Ordinal) ? SnapshotBuilder.Windows() : SnapshotBuilder.Linux()).Thread(1, Frames(stack)).Build());

    private static string[] Frames(string stack) => stack.Split(" < ");
}
