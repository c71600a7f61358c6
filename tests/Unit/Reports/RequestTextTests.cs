using HangTriage.Facts;
using HangTriage.Reports.Html;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Requests;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>What reports say of the requests under way, and that the verdict is the same with and without them.</summary>
public sealed class RequestTextTests
{
    private const string Wait = "System.Threading.Monitor.Enter";

    private static readonly string[] s_blocks =
    [
        "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "Shop.Handle",
        "System.Threading.ThreadPoolWorkQueue.Dispatch",
    ];

    private static readonly LockId s_gate = SnapshotBuilder.Monitor(0xa000);
    private static readonly LockId s_other = SnapshotBuilder.Monitor(0xb000);

    [Fact]
    public void Requests_whose_threads_wait_in_the_hang_are_its_impact()
        => Assert.Equal(
            "3 requests wait, the oldest since at least 4 min 10 s: 2 x GET /orders/{id}, POST /pay",
            RequestText.Impact(Triage.Judge(Deadlock()
                .Request("GET", "/orders/{id}", TimeSpan.FromSeconds(250), thread: 1)
                .Request("GET", "/orders/{id}", TimeSpan.FromSeconds(20), thread: 3)
                .Request("POST", "/pay", null, thread: 2)
                .Request("GET", "/health", TimeSpan.FromSeconds(900), thread: 9)
                .Request("GET", null, TimeSpan.FromSeconds(900), flow: 0x9999)
                .Request("GET", null, TimeSpan.FromSeconds(900), thread: 1, kind: RequestKind.Sent).Build())));

    [Fact]
    public void Requests_that_wait_in_the_queue_of_a_starved_pool_are_its_impact()
    {
        SnapshotBuilder pool = SnapshotBuilder.Linux().Thread(1, s_blocks).Thread(2, s_blocks)
            .Task(0x7000, TaskKind.AsyncMethod, "Shop.Stock.ReserveAsync").Needs(0x7000, TaskNeedKind.PoolQueue)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40)
            .Flow("Shop.Orders.PlaceAsync", new FlowWait { Kind = FlowWaitKind.Queued, Objects = 1 }, count: 30);
        TriageResult result = Triage.Judge(pool
            .Request("GET", "/orders/{id}", TimeSpan.FromSeconds(250), flow: 0x7f1000000000)
            .Request("GET", "/prices", TimeSpan.FromSeconds(8), thread: 1)
            .Request("GET", "/events", TimeSpan.FromSeconds(900), flow: 0x7f2000000000).NothingTaken(TimeSpan.FromMinutes(1)).Build());

        Assert.Equal(VerdictKind.Starvation, result.Verdict.Kind);
        Assert.Equal("2 requests wait, the oldest since at least 4 min 10 s: GET /orders/{id}, GET /prices", RequestText.Impact(result));
    }

    [Fact]
    public void One_request_waits()
        => Assert.Equal(
            "1 request waits since at least 20 s: GET /orders/{id}",
            RequestText.Impact(Triage.Judge(Deadlock().Request("GET", "/orders/{id}", TimeSpan.FromSeconds(20), thread: 3).Build())));

    [Fact]
    public void A_request_that_is_not_known_to_wait_there_is_no_impact()
        => Assert.Null(RequestText.Impact(Triage.Judge(Deadlock().Request("GET", "/orders/{id}", TimeSpan.FromHours(1)).Build())));

    [Theory]
    [InlineData(RequestState.Unanswered)]
    [InlineData(RequestState.Answering)]
    [InlineData(RequestState.Upgraded)]
    public void A_request_of_any_age_makes_no_hang(RequestState state)
    {
        SnapshotBuilder idle = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main")
            .Flow("Shop.Feed.PushAsync", new FlowWait { Kind = FlowWaitKind.InfiniteDelay, EndsByToken = true, Objects = 1 });
        Verdict without = Triage.Judge(idle.Build()).Verdict;
        TriageResult with = Triage.Judge(idle.Request("GET", "/feed", TimeSpan.FromDays(2), thread: 1, state: state).Build());

        Assert.Equal(
            (without.Kind, without.Confidence, without.Title.Text, without.Since),
            (with.Verdict.Kind, with.Verdict.Confidence, with.Verdict.Title.Text, with.Verdict.Since));
        Assert.Null(RequestText.Impact(with));
    }

    [Fact]
    public void The_verdict_is_the_same_with_and_without_requests()
    {
        Verdict without = Triage.Judge(Deadlock().Build()).Verdict;
        Verdict with = Triage.Judge(Deadlock().Request("GET", "/orders/{id}", TimeSpan.FromDays(2), thread: 1).Build()).Verdict;

        Assert.Equal(
            (without.Kind, without.Confidence, without.ConfidenceReason, without.Title.Text, without.Since, without.Signature.Hash),
            (with.Kind, with.Confidence, with.ConfidenceReason, with.Title.Text, with.Since, with.Signature.Hash));
    }

    [Fact]
    public void All_that_are_under_way_are_listed_the_largest_group_first()
    {
        string text = Text(Triage.Judge(Deadlock()
            .Request("GET", "/orders/{id}", TimeSpan.FromSeconds(250), thread: 1)
            .Request("GET", "/orders/{id}", TimeSpan.FromSeconds(20), thread: 3)
            .Request("GET", "/events", TimeSpan.FromSeconds(900), state: RequestState.Answering)
            .Request("GET", "/chat", TimeSpan.FromSeconds(901), state: RequestState.Upgraded)
            .Request(null, null, null)
            .Request("GET", null, TimeSpan.FromSeconds(8), kind: RequestKind.Sent)
            .Request("GET", null, null, kind: RequestKind.Sent).Build()));

        Assert.Contains(
            """
            Requests under way (7, the oldest for at least 4 min 10 s)
              2 x GET /orders/{id}, for at least 20 s to 4 min 10 s
              GET /chat, for at least 15 min 1 s; it speaks another protocol now, as web sockets do
              GET /events, for at least 15 min; the answer has begun
              request without a route
              2 x GET by HttpClient, one of them for at least 8 s

            """.ReplaceLineEndings("\n"),
            text,
            StringComparison.Ordinal);
        Assert.Contains(
            "  Impact      2 requests wait, the oldest since at least 4 min 10 s: 2 x GET /orders/{id}\n", text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_route_holds_is_escaped_in_every_report()
    {
        TriageResult result =
            Triage.Judge(Deadlock().Request("GET", "/<script>\u001b[2J\n{id}|`", TimeSpan.FromSeconds(20), thread: 1).Build());
        using StringWriter markdown = new();
        MarkdownReport.Write(result, markdown, new());
        using StringWriter html = new();
        HtmlReport.Write(result, html, new());

        Assert.All(Text(result), letter => Assert.True(letter is '\n' or (>= ' ' and <= '~')));
        Assert.DoesNotContain("<script>\u001b", markdown.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("/<script>", html.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_JSON_report_has_them_as_the_schema_says()
    {
        using StringWriter json = new();
        JsonReport.Write(
            Triage.Judge(Deadlock().Request("GET", "/orders/{id}", TimeSpan.FromSeconds(20), thread: 1)
                .Request(null, null, null, flow: 0x10).Build()),
            json, new JsonReportOptions("1", new Dictionary<string, TimeSpan>()));

        Assert.Empty(ReportSchema.Errors(json.ToString()));
        Assert.Contains("\"text\": \"1 request waits since at least 20 s: GET /orders/{id}\"", json.ToString(), StringComparison.Ordinal);
    }

    private static SnapshotBuilder Deadlock() => SnapshotBuilder.Linux()
        .Thread(1, Wait, "Shop.Orders.Place").Thread(2, Wait, "Shop.Orders.Pay").Thread(3, Wait, "Shop.Orders.Place")
        .Lock(s_gate, 2).Lock(s_other, 1).Waits(1, s_gate).Waits(2, s_other).Waits(3, s_gate);

    private static string Text(TriageResult result)
    {
        using StringWriter output = new();
        TextReport.Write(result, output);
        return output.ToString();
    }
}
