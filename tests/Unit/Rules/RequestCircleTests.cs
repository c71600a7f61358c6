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
    private const string Requests = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    private static readonly FlowWait s_lease = new()
    {
        Kind = FlowWaitKind.Task,
        Type = "System.Threading.Tasks.Task<System.Threading.RateLimiting.RateLimitLease>",
        Reach = new WaitReach { By = FlowRoot.InputOutput, Holders = [] },
    };

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

    private static ProcessSnapshot Limited(bool asksItself, int asking)
    {
        FlowWait asks = new()
        {
            Kind = FlowWaitKind.InputOutput,
            Socket = SnapshotBuilder.Socket("unix:/run/shop"),
            Via = "System.Net.Http.HttpClient.GetStringAsyncCore",
        };
        SocketFacts listener = SnapshotBuilder.Socket(null) with
        {
            Peer = null, IsListening = true, Listens = Known.Read("unix:/run/shop"), Operation = SocketOperation.Accept,
        };
        return SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener })
            .Flow("Shop.Customers.AskAsync", asks, asking)
            .Flow("Shop.Menus.ComposeAsync", asksItself ? asks : s_delay, 4, Gate, Requests)
            .Flow(Gate, s_lease, asksItself ? 8 : 4, Requests)
            .Build();
    }
}
