using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A process waits for an answer of its own, and a thread runs the code that is to give it.</summary>
public sealed class OwnRequestAtWorkTests
{
    private const string Requests =
        "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol+<ProcessRequests>d__237<__Canon>.MoveNext";

    private static readonly FlowWait s_answer = new()
    {
        Kind = FlowWaitKind.InputOutput,
        Socket = SnapshotBuilder.Socket("unix:/run/shop"),
        Via = "System.Net.Http.HttpClient.GetStringAsyncCore",
    };

    [Fact]
    public void Who_computes_in_the_request_is_named()
    {
        Verdict verdict = Triage.Judge(Asking().Build()).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, "HT4004", new ThreadId(2)), (verdict.Kind, verdict.Rule?.Id, verdict.Culprit?.Thread));
        Assert.StartsWith("Customers.AskAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    // The request that is waited for has been begun and waits itself: what computes belongs to somebody else's.
    [Fact]
    public void Who_computes_in_another_request_is_not_waited_for()
        => Assert.Equal(
            VerdictKind.Inconclusive,
            Triage.Judge(Asking()
                .Flow("Shop.Menus.ComposeAsync", new FlowWait { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) }, 1,
                    "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests")
                .Build()).Verdict.Kind);

    // A thread in a request may wait, too.
    [Fact]
    public void Who_waits_in_the_request_is_not_at_work()
        => Assert.NotEqual(
            VerdictKind.BusyNotHung,
            Triage.Judge(Waiting().Thread(2, "System.Threading.Thread.Join", "Shop.Claims.Submit", Requests).Build()).Verdict.Kind);

    private static SnapshotBuilder Asking()
        => Waiting().Thread(2, new ThreadOptions { Cpu = null, Life = null }, "Shop.Claims.Review", "Shop.Claims.Submit", Requests,
            "System.Threading.ThreadPoolWorkQueue.Dispatch");

    private static SnapshotBuilder Waiting()
        => SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main")
            .Flow("Shop.Server.AcceptAsync", new FlowWait
            {
                Kind = FlowWaitKind.InputOutput,
                Socket = SnapshotBuilder.Listener("unix:/run/shop"),
            })
            .Flow(SnapshotBuilder.Once("Shop.Customers.AskAsync", s_answer, "Shop.Program.Main", 0x7f1000008000));
}
