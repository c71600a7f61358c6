using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Requests to the process itself that wait for each other, through a limit of it or through its connections.</summary>
public sealed class RequestCircleTests
{
    private const string Gate = "Shop.Gate.InvokeAsync";
    private const string Limiter = "Microsoft.AspNetCore.RateLimiting.RateLimitingMiddleware.TryAcquireAsync";
    private const string Requests = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    private static readonly FlowWait s_lease = new()
    {
        Kind = FlowWaitKind.Task,
        Type = "System.Threading.Tasks.Task<System.Threading.RateLimiting.RateLimitLease>",
        Reach = new WaitReach { By = FlowRoot.InputOutput, Holders = [] },
    };

    private static readonly FlowWait s_asks = new()
    {
        Kind = FlowWaitKind.InputOutput,
        Socket = SnapshotBuilder.Socket("unix:/run/shop"),
        Via = "System.Net.Http.HttpClient.GetStringAsyncCore",
    };

    private static readonly SocketFacts s_listener = SnapshotBuilder.Listener("unix:/run/shop");

    private static readonly FlowWait s_scan = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00), Label = "scan" };

    private static readonly FlowWait s_delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true, SetFor = TimeSpan.FromSeconds(1) };

    [Fact]
    public void Who_has_all_connections_and_needs_another_one_is_named()
    {
        Verdict verdict = Triage.Judge(OutsideCases.Circle(6)).Verdict;

        Assert.Equal((VerdictKind.Deadlock, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Quotes.QuoteAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void With_a_connection_that_is_free_nothing_is_proven()
        => Assert.NotEqual(VerdictKind.Deadlock, Triage.Judge(OutsideCases.Circle(6, free: 1)).Verdict.Kind);

    // Who is past the gate has the permits: asks itself, or reads for a while.
    [Theory]
    [InlineData(true, VerdictKind.Deadlock)]
    [InlineData(false, VerdictKind.NotHung)]
    public void A_limit_of_requests_is_as_stuck_as_those_that_it_has_let_in(bool asksItself, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(Limited(asksItself, asking: 8)).Verdict.Kind);

    // One request more than there are handlers: it is on its way, or in code that runs.
    [Fact]
    public void A_request_that_is_on_its_way_may_open_the_circle()
        => Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(Limited(asksItself: true, asking: 9)).Verdict.Kind);

    // The client's own methods are .NET's: the program's that awaits them is told.
    [Fact]
    public void Of_a_client_of_DotNets_the_method_of_the_program_that_asks_is_named()
    {
        Verdict verdict = Triage.Judge(Serving()
            .Flow("Shop.Customers.AskAsync", s_asks, 8)
            .Flow("System.Net.Http.HttpClient.<SendAsync>g__Core|83_0", s_asks, 4,
                "Shop.Fares.GetAsync", "Shop.Menus.ComposeAsync", Gate, Requests)
            .Flow(Limiter, s_lease, 8, Limiter, Requests)
            .Build()).Verdict;

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.Contains("Fares.GetAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    // A method of a hub, which no request awaits, and an async method that has the other end of the connection.
    [Theory]
    [InlineData("Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher<Shop.PickHub>.Invoke", null)]
    [InlineData("Shop.Registry.ServeAsync", "unix:/run/shop")]
    public void Where_nothing_acts_the_process_keeps_itself_waiting(string caller, string? acceptedAt)
    {
        Verdict verdict = Triage.Judge(Serving()
            .Flow(SnapshotBuilder.Once("Shop.Customers.AskAsync", s_asks, "Shop.Program.Main", 0x7f1000008000))
            .Flow(SnapshotBuilder.Once("Shop.PickHub.StartPick", s_scan, caller, 0x7f1000009000) with { AcceptedAt = acceptedAt })
            .Moves("Shop.Program.Beat", acts: false)
            .Build()).Verdict;

        Assert.Equal(VerdictKind.NeverCompleted, verdict.Kind);
        Assert.Contains("PickHub.StartPick", verdict.Culprit?.Label.Text, StringComparison.Ordinal);
    }

    private static SnapshotBuilder Serving()
        => SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = s_listener });

    private static ProcessSnapshot Limited(bool asksItself, int asking)
        => Serving()
            .Flow("Shop.Customers.AskAsync", s_asks, asking)
            .Flow("Shop.Menus.ComposeAsync", asksItself ? s_asks : s_delay, 4, Gate, Requests)
            .Flow(Gate, s_lease, asksItself ? 8 : 4, Requests)
            .Build();
}
