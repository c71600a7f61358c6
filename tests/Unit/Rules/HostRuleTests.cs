using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Hosts that stop: what they wait for is named, unless something is set or runs that may end it.</summary>
public sealed class HostRuleTests
{
    private const string Stop = "Microsoft.Extensions.Hosting.Internal.Host.StopAsync";
    private const string ServiceStop = "Microsoft.Extensions.Hosting.BackgroundService.StopAsync";
    private const string Request = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";
    private const string ServerStop = "Microsoft.AspNetCore.Server.Kestrel.Core.KestrelServerImpl.StopAsync";
    private const string Drain = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Infrastructure.TransportConnectionManager.CloseAllConnectionsAsync";

    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [Fact]
    public void A_request_that_a_stopping_server_waits_for_is_named()
    {
        Verdict verdict = Judge(Draining(hasTime: false));

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible, "HT6005"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("was asked to stop and waits for the requests that its web server has begun: 3 x Orders.TrackAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_host_with_a_time_for_its_stop_drops_its_connections_then()
        => Assert.Equal(VerdictKind.Inconclusive, Judge(Draining(hasTime: true)).Kind);

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void What_a_background_service_awaits_ends_with_the_time_for_the_stop(bool hasTime, bool isFound)
        => Assert.Equal(
            isFound,
            Judge(Stopping(hasTime).Flow("App.Mails.SendLoopAsync", s_promise, 1, ServiceStop, Stop)).Rule?.Id == "HT6005");

    [Fact]
    public void A_promise_that_a_timer_leads_to_may_be_kept()
    {
        SnapshotBuilder stopping = Idle().Flow("App.Mails.StopAsync", s_promise, 1, Stop);

        Assert.Equal("HT6005", Judge(stopping).Rule?.Id);
        Assert.Equal(VerdictKind.Inconclusive, Judge(Idle().Flow("App.Mails.StopAsync", s_promise, 1, Stop).FlowReachedByTimer(0x7f1000000000)).Kind);
    }

    [Theory]
    [InlineData(false, null, true)]
    [InlineData(true, null, true)]
    [InlineData(true, 30, false)]
    [InlineData(true, 3600, true)]
    public void A_token_ends_the_wait_of_a_start_where_a_timer_cancels_it(bool hasToken, int? seconds, bool isFound)
        => Assert.Equal(
            isFound,
            Judge(Idle().Flow(
                "App.Feed.StartAsync",
                s_promise with { EndsByToken = hasToken, EndsByTimer = seconds is not null, SetFor = seconds is { } limit ? TimeSpan.FromSeconds(limit) : null },
                1,
                "Microsoft.Extensions.Hosting.Internal.Host.StartAsync")).Rule?.Id == "HT6005");

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void A_service_that_gives_its_loop_up_after_a_time_stops(bool hasLimit, bool isFound)
    {
        FlowWait given = new() { Kind = FlowWaitKind.AsyncMethod, Address = new Address(0x7c00), EndsByTimer = hasLimit, SetFor = hasLimit ? TimeSpan.FromSeconds(30) : null };

        Assert.Equal(
            isFound,
            Judge(Idle().Flow("App.Mails.StopAsync", given, 1, Stop).Flow("App.Mails.SendLoopAsync", s_promise, 1, "App.Mails.StopAsync", Stop)).Rule?.Id == "HT6005");
    }

    [Theory]
    [InlineData(FlowLoopEnd.None, false, false, true)]
    [InlineData(FlowLoopEnd.None, true, false, false)]
    [InlineData(FlowLoopEnd.None, false, true, false)]
    [InlineData(FlowLoopEnd.WithoutToken, false, false, false)]
    [InlineData(FlowLoopEnd.Token, false, false, false)]
    [InlineData(null, false, false, false)]
    public void A_service_in_a_loop_without_a_way_out_is_named_though_it_moves(FlowLoopEnd? end, bool hasTime, bool hasToken, bool isFound)
    {
        FlowWait delay = new() { Kind = FlowWaitKind.Delay, Address = new Address(0x7b00), EndsByTimer = true, SetFor = TimeSpan.FromSeconds(1), EndsByToken = hasToken };
        Verdict verdict = Judge(Loops(hasTime).Flow(Scanner(delay, end)));

        Assert.Equal(isFound, verdict.Rule?.Id == "HT6005");
        Assert.Equal(isFound, verdict.Title.Text.Contains("Scanner.ExecuteAsync goes round a loop that has no way out", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(FlowLoopEnd.None)]
    [InlineData(FlowLoopEnd.Token)]
    public void A_loop_ends_where_what_it_calls_ends_by_a_token(FlowLoopEnd inner)
    {
        FlowWait read = new() { Kind = FlowWaitKind.AsyncMethod, Address = new Address(0x7b00) };
        FlowWait delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true, SetFor = TimeSpan.FromSeconds(1) };
        SnapshotBuilder loops = Loops(hasTime: false).Flow(Scanner(read, FlowLoopEnd.None))
            .Flow(Scanner(delay, inner) with { Method = "App.Scanner.ScanAsync", AwaitedBy = ["App.Scanner.ExecuteAsync"], Sample = new Address(0x7d10) });

        Assert.Equal(inner == FlowLoopEnd.None, Judge(loops).Rule?.Id == "HT6005");
    }

    [Theory]
    [InlineData("App.Scanner._executeTask", false, true)]
    [InlineData("App.Scanner.ExecuteAsync", false, true)]
    [InlineData("App.Scanner._executeTask", true, false)]
    [InlineData("App.Other._executeTask", false, false)]
    public void What_the_loop_of_a_service_waits_for_is_what_its_stop_waits_for(string field, bool hasTime, bool isFound)
    {
        Verdict verdict = Judge(Loops(hasTime, field).Flow(Scanner(s_promise, FlowLoopEnd.WithoutToken)));

        Assert.Equal(isFound, verdict.Rule?.Id == "HT6005");
        Assert.Equal(isFound, verdict.Title.Text.Contains("in a loop that ignores the token for its stop", StringComparison.Ordinal));
    }

    // ExecuteAsync is no async method there: it hands out the task of what a worker runs.
    [Theory]
    [InlineData(false, false, true)]
    [InlineData(true, false, false)]
    [InlineData(false, true, false)]
    public void A_service_whose_task_a_thread_runs_is_named_where_that_waits_for_good(bool hasTime, bool isBusy, bool isFound)
    {
        SnapshotBuilder loops = Loops(hasTime)
            .Thread(2, isBusy ? "System.String.Concat" : "System.Threading.WaitHandle.WaitOne", "App.Scanner.Scan")
            .Task(0x7c00, TaskKind.Delegate)
            .Task(0x7c10, TaskKind.Delegate)
            .Needs(0x7c00, TaskNeedKind.Task, other: 0x7c10)
            .Needs(0x7c10, TaskNeedKind.Thread, thread: 2);
        Verdict verdict = Judge(isBusy ? loops : loops.WaitsForSignal(2, 0x9000, "App.Scanner._next", Timeout.InfiniteTimeSpan).Lost(2));

        Assert.Equal(isFound, verdict.Rule?.Id == "HT6005");
        Assert.Equal(isFound, verdict.Title.Text.Contains("Scanner.Scan", StringComparison.Ordinal));
    }

    private static SnapshotBuilder Loops(bool hasTime, string field = "App.Scanner._executeTask")
        => Stopping(hasTime).Flow(ServiceStop, new FlowWait { Kind = FlowWaitKind.Task, Address = new Address(0x7c00), Label = field }, 1, Stop);

    // Its task is the service's, not that of an await.
    private static FlowGroup Scanner(FlowWait waits, FlowLoopEnd? end) => new()
    {
        Method = "App.Scanner.ExecuteAsync",
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = waits,
        AwaitedBy = [],
        LoopEnd = end,
        Root = FlowRoot.Thread,
        Sample = new Address(0x7d00),
    };

    private static SnapshotBuilder Draining(bool hasTime)
        => Stopping(hasTime)
            .Flow(Drain, s_promise with { Kind = FlowWaitKind.WhenAny, Address = null }, 1, ServerStop, Stop)
            .Flow("App.Orders.TrackAsync", s_promise, 3, Request);

    private static SnapshotBuilder Stopping(bool hasTime) => Idle().Flow(new FlowGroup
    {
        Method = Stop,
        Await = 1,
        Count = 1,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.AsyncMethod },
        AwaitedBy = [],
        CancelsByTimer = hasTime,
        Root = FlowRoot.Thread,
        Sample = new Address(0x7e00),
    });

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Program.Main");

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
