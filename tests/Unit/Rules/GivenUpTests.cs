using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// Waits that look as if something could end them: a token, a thread that has the promise at hand, another server, a child that has
/// exited.
/// </summary>
public sealed class GivenUpTests
{
    private const string Main = "Shop.Program.Main";
    private const string Request = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    private static readonly ChildFacts s_child = new() { Id = Known.Read(1234u), Unread = Known.Read(UnreadOutput.None) };
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7b00), Reach = new WaitReach { Holders = [] } };

    [Theory]
    [InlineData(true, VerdictKind.NeverCompleted)]
    [InlineData(false, VerdictKind.NotHung)]
    public void A_token_that_nobody_can_cancel_ends_no_wait(bool isLost, VerdictKind expected)
    {
        FlowGroup flow = Flow("Shop.Stock.CountAsync", s_promise with { IsTokenLost = isLost, EndsByToken = !isLost, Reach = new WaitReach { By = isLost ? null : FlowRoot.Timer, Holders = [] } }, "Shop.Program.RunAsync") with { Count = 2 };

        Verdict verdict = Judge(Idle().Flow(flow));

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(isLost, verdict.Title.Text.Contains("with a cancellation token that nobody can cancel any more", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Shop.Worker.ShipAsync", "Shop.Worker.ExecuteAsync", VerdictKind.Inconclusive)]
    [InlineData("Shop.Worker.ExecuteAsync", "Microsoft.Extensions.Hosting.Internal.Host.TryExecuteBackgroundServiceAsync", VerdictKind.NotHung)]
    public void A_promise_that_nobody_can_keep_is_a_suspect_where_another_method_waits_for_it_too(string method, string caller, VerdictKind expected)
        => Assert.Equal(expected, Judge(Idle().Flow(Flow(method, s_promise with { EndsByToken = true }, caller))).Kind);

    [Fact]
    public void What_somebody_can_still_keep_is_left_to_the_token()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(Idle().Flow(Flow("Shop.Worker.ShipAsync", s_promise with { EndsByToken = true, Reach = new WaitReach { By = FlowRoot.Static, Holders = [] } }, "Shop.Worker.ExecuteAsync"))).Kind);

    // An async method that yields is, between two of its turns, in a register of the worker that has just taken it.
    [Theory]
    [InlineData(VerdictKind.Inconclusive, "System.Threading.ThreadPoolWorkQueue.Dispatch")]
    [InlineData(VerdictKind.Inconclusive, "System.Threading.ThreadPoolWorkQueue.Dequeue", "System.Threading.ThreadPoolWorkQueue.Dispatch")]
    [InlineData(VerdictKind.NeverCompleted, "Shop.Other.Run", "System.Threading.ThreadPoolWorkQueue.Dispatch")]
    [InlineData(VerdictKind.NeverCompleted, "System.Threading.LowLevelLifoSemaphore.Wait")]
    public void A_promise_is_not_lost_while_a_worker_may_have_it_in_hand(VerdictKind expected, params string[] worker)
        => Assert.Equal(expected, Judge(Waits().Joins(1, 2).InHandsOf(0x7000, 1, 2).Thread(9, worker)).Kind);

    [Fact]
    public void A_thread_that_waits_for_the_end_of_the_waiters_is_not_the_one_to_keep_their_promise()
    {
        Verdict verdict = Judge(Waits().Joins(1, 2).InHandsOf(0x7000, 1, 2));

        Assert.Equal((VerdictKind.NeverCompleted, "HT2002"), (verdict.Kind, verdict.Rule?.Id));
    }

    [Fact]
    public void One_that_waits_for_a_lock_of_a_waiter_is()
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);

        Verdict verdict = Judge(Waits().Lock(gate, 2).Waits(1, gate).InHandsOf(0x7000, 1, 2));

        Assert.Equal((VerdictKind.Deadlock, "HT2004"), (verdict.Kind, verdict.Rule?.Id));
    }

    [Theory]
    [InlineData("System.Net.Http.HttpClient.<SendAsync>g__Core|83_0", Request, VerdictKind.Inconclusive)]
    [InlineData("System.Net.Http.HttpClient.<SendAsync>g__Core|83_0", "Microsoft.Extensions.Hosting.Internal.Host.TryExecuteBackgroundServiceAsync", VerdictKind.Inconclusive)]
    [InlineData("System.Net.Http.HttpClient.<SendAsync>g__Core|83_0", "Shop.Worker.ExecuteAsync", VerdictKind.NotHung)]
    [InlineData("System.Net.Http.SocketsHttpHandler.<SendAsync>g__CreateHandlerAndSendAsync|120_0", Request, VerdictKind.Inconclusive)]
    [InlineData("System.IO.StreamReader.ReadLineAsync", Request, VerdictKind.NotHung)]
    public void A_request_that_asks_another_server_without_a_time_limit_is_a_suspect(string via, string caller, VerdictKind expected)
    {
        FlowWait wait = new() { Kind = FlowWaitKind.InputOutput, Via = via, Socket = SnapshotBuilder.Socket("10.0.0.7:80") };

        Assert.Equal(expected, Judge(Idle().Flow(Flow("Shop.Prices.AskAsync", wait, "Shop.Site.GetAsync", caller))).Kind);
        Assert.Equal(
            VerdictKind.NotHung,
            Judge(Idle().Flow(Flow("Shop.Prices.AskAsync", wait with { EndsByTimer = true, SetFor = TimeSpan.FromSeconds(100) }, "Shop.Site.GetAsync", caller))).Kind);
    }

    [Theory]
    [InlineData("Microsoft.Extensions.Hosting.Internal.Host.StartAsync", VerdictKind.Inconclusive)]
    [InlineData("Microsoft.Extensions.Hosting.Internal.Host.TryExecuteBackgroundServiceAsync", VerdictKind.NotHung)]
    public void Behind_the_start_of_a_host_nothing_idles(string caller, VerdictKind expected)
    {
        FlowWait wait = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

        Assert.Equal(
            expected,
            Judge(Idle().Flow(Flow("Shop.Warmer.WaitForStartedAsync", wait, "Shop.Warmer.StartAsync", caller, "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.RunAsync"))).Kind);
    }

    [Theory]
    [InlineData(3, 1, null, VerdictKind.BlockedOnExternal)]
    [InlineData(3, 0, null, VerdictKind.Inconclusive)]
    [InlineData(3, 1, "Shop.Prices.AskAsync", VerdictKind.NotHung)]
    [InlineData(3, 1, "Shop.Site.GetAsync", VerdictKind.NotHung)]
    public void A_crowd_of_requests_to_another_server_is_counted_wherever_they_are_caught_and_ends_by_a_timer_of_its_own(
        int first, int second, string? timed, VerdictKind expected)
    {
        FlowWait wait = new() { Kind = FlowWaitKind.InputOutput, Via = "System.Net.Http.SocketsHttpHandler.SendAsync", Socket = SnapshotBuilder.Socket("10.0.0.7:80") };
        FlowGroup asks = Flow("Shop.Prices.AskAsync", wait, "Shop.Site.GetAsync", Request) with { CancelsByTimer = timed == "Shop.Prices.AskAsync" };
        FlowGroup site = Flow("Shop.Site.GetAsync", new FlowWait { Kind = FlowWaitKind.AsyncMethod }, Request) with { Count = first + second, CancelsByTimer = timed == "Shop.Site.GetAsync" };
        SnapshotBuilder builder = Idle().Flow(asks with { Count = first }).Flow(site);
        if (second > 0)
        {
            builder.Flow(asks with { Count = second, Waits = wait with { Via = "System.Net.Http.DiagnosticsHandler.SendAsyncCore" } });
        }

        Assert.Equal(expected, Judge(builder).Kind);
    }

    [Theory]
    [InlineData("System.Threading.Tasks.Task.InternalWaitCore", VerdictKind.BlockedOnExternal)]
    [InlineData("System.Diagnostics.AsyncStreamReader.WaitUtilEOF", VerdictKind.BlockedOnExternal)]
    [InlineData("System.Diagnostics.ProcessWaitState.WaitForExit", VerdictKind.NotHung)]
    public void The_rest_of_the_output_of_a_child_that_has_exited_is_awaited_in_vain(string inner, VerdictKind expected)
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(
            1, "System.Threading.Monitor.Wait", inner, "System.Diagnostics.Process.WaitForExitCore", "System.Diagnostics.Process.WaitForExit", "Shop.Agent.Start", Main));

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(
            expected == VerdictKind.BlockedOnExternal,
            verdict.Title.Text == "Thread 0 (0x1) waits in Agent.Start for the end of a child's output, though the child has exited: another process still has the pipe");
    }

    [Theory]
    [InlineData(true, VerdictKind.Inconclusive)]
    [InlineData(false, VerdictKind.BlockedOnExternal)]
    [InlineData(null, VerdictKind.BlockedOnExternal)]
    public void Who_reads_line_after_line_of_a_child_is_a_suspect_and_no_more(bool? isInLoop, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "[InlinedCallFrame]", "Interop+Sys.Read", "System.IO.Pipes.PipeStream.ReadCore", "System.IO.StreamReader.ReadLine", "Shop.Import.Run", Main);

        Assert.Equal(expected, Judge("read", builder.Outside(new OutsideWaitFacts { Thread = new ThreadId(1), Call = "System.IO.Pipes.PipeStream.ReadCore", Child = Known.Read(s_child), Source = "stack", IsInLoop = isInLoop })).Kind);
    }

    [Theory]
    [InlineData("Interop+Sys.Open < Microsoft.Win32.SafeHandles.SafeFileHandle.Open < System.IO.FileStream..ctor", VerdictKind.Inconclusive)]
    [InlineData("Interop+Sys.Write < System.IO.RandomAccess.WriteAtOffset < System.IO.FileStream.Write", VerdictKind.NotHung)]
    public void To_open_a_file_takes_too_short_to_be_caught_at_it(string stack, VerdictKind expected)
        => Assert.Equal(expected, Judge("openat", SnapshotBuilder.Linux().Thread(1, ["[InlinedCallFrame]", .. stack.Split(" < "), "Shop.Status.Write", Main])).Kind);

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", Main);

    private static SnapshotBuilder Waits() => SnapshotBuilder.Linux()
        .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Run", Main)
        .Thread(2, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWait", "Shop.Rates.Get")
        .Task(0x7000, TaskKind.Promise)
        .Needs(0x7000, TaskNeedKind.Unknown, thread: 1)
        .WaitsForTask(2, 0x7000);

    private static FlowGroup Flow(string method, FlowWait wait, params string[] awaitedBy) => new()
    {
        Method = method,
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = wait,
        AwaitedBy = awaitedBy,
        Root = FlowRoot.Static,
        Sample = new Address(0xb000),
        Source = new SourceLine("Shop/Shop.cs", 10),
    };

    private static Verdict Judge(string call, SnapshotBuilder builder) => Triage.Judge(SystemCalls.With(builder.Build(), 1, call, hasTimeout: null)).Verdict;

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
