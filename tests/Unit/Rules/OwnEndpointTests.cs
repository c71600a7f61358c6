using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A service that calls its own endpoint and blocks a worker until the answer comes, which needs a worker.</summary>
public sealed class OwnEndpointTests
{
    private const string Client = "System.Net.Http.HttpClient.GetStringAsyncCore";
    private const string Requests = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    [Theory]
    [InlineData("127.0.0.1:5000", Requests, VerdictKind.Starvation)]
    [InlineData("10.0.0.7:5000", Requests, VerdictKind.Inconclusive)]
    [InlineData("127.0.0.1:5000", "Shop.Mailer.Send", VerdictKind.Inconclusive)]
    public void Workers_that_wait_for_their_own_queued_service_are_starved(string peer, string queued, VerdictKind expected)
    {
        string[] worker =
            ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWaitCore", "Shop.Relay.Ask",
                "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Flow(Client, waits: new FlowWait { Kind = FlowWaitKind.InputOutput, Objects = 1, Socket = SnapshotBuilder.Socket(peer) })
            .Task(0x7000, TaskKind.AsyncMethod, Client).Needs(0x7000, TaskNeedKind.Unknown)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .ListensAt("127.0.0.1:5000")
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40, logged: 1, items: [new PoolItems("Box", queued, 40)]).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Contains("Relay.Ask", verdict.Title.Text, StringComparison.Ordinal);
    }
}
