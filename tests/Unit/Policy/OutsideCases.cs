using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Waits for what is outside the process, over time.</summary>
internal static class OutsideCases
{
    private static readonly string[] s_receive = ["[InlinedCallFrame]", "System.Net.Sockets.Socket.Receive", "Shop.Client.Fetch", "Shop.Program.Main"];
    private static readonly string[] s_exit = ["[InlinedCallFrame]", "System.Diagnostics.Process.WaitForExit", "Shop.Report.Convert", "Shop.Program.Main"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("request under way, its thread has moved", Request()),
            ("request that the process itself is to answer", Case.Of(ToItself())),
            ("the lock of a database that the process locks itself now and again", Case.Of(Shared())),
            ("requests that wait for each other, a crowd", Case.Of(Circle(6))),
            ("requests that wait for each other, a few", Case.Of(Circle(2))),
            ("requests that wait for each other, most for a connection", Case.Of(Circle(2, priced: 1))),
            ("the same, said to hang", Case.Of(ToItself()) with { IsSaidToHang = true }),
            ("workers of the pool that wait for answers", Workers()),
            ("child whose output is not read, its waiter has moved", Child(hasMoved: true)),
            ("child whose output is not read, seen twice", Child(hasMoved: false)),
        ];

    private static Case Request()
        => Moment.Both(SnapshotBuilder.Linux, (builder, moment) => builder
            .Thread(0x11, moment.Thread(), moment.At(s_receive, hasMoved: true))
            .WaitsForPeer(0x11, SnapshotBuilder.Socket("10.0.0.7:5432")));

    private static ProcessSnapshot ToItself()
    {
        SocketFacts listener = SnapshotBuilder.Listener("10.0.0.7:5432");
        FlowWait asks = new()
        {
            Kind = FlowWaitKind.InputOutput,
            Socket = SnapshotBuilder.Socket("10.0.0.7:5432"),
            Via = "System.Net.Http.HttpClient.GetStringAsyncCore",
        };
        return SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow("Shop.Prices.GetAsync", asks, count: 6)
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener })
            .Build();
    }

    private static ProcessSnapshot Shared()
    {
        const string Call = "Microsoft.Data.Sqlite.SqliteDataReader.NextResult";
        LockId held = new(LockKind.Monitor, new Address(0x5000));
        return SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Sleep", Call, "Shop.Shelves.Count")
            .Thread(0x12, "System.Threading.Monitor.Enter", "Shop.Shelves.Find")
            .Waits(0x12, held)
            .Lock(held, 0x11)
            .Outside(new OutsideWaitFacts
            {
                Thread = new ThreadId(0x11), Call = Call, Limit = Timeout.InfiniteTimeSpan, IsSharedHere = true,
                Source = $"stack root of {Call}",
            })
            .Build();
    }

    // Each request has one of all connections and waits for another one, which has to wait for a connection.
    internal static ProcessSnapshot Circle(int count, int priced = 0, int free = 0)
    {
        const string Requests = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";
        const string Client = "System.Net.Http.HttpClient.GetStringAsyncCore";
        FlowPool pool = new("System.Net.Http.HttpConnectionPool", count, count + free, null);
        FlowWait asks = new()
        {
            Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket("127.0.0.1:5000"), Via = Client, Pool = pool,
        };
        SocketFacts listener = SnapshotBuilder.Listener("127.0.0.1:5000");
        return SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener })
            .Flow("Shop.Customers.AskAsync", asks with { Pool = null }, count)
            .Flow("Shop.Quotes.QuoteAsync", asks, count, Requests)
            .Flow("Shop.Prices.PriceAsync", new FlowWait { Kind = FlowWaitKind.Task, Pool = pool }, count + priced, Requests)
            .Build();
    }

    private static Case Workers()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 0x11; id < 0x15; id++)
        {
            builder.Thread(id, [.. s_receive[..3], "System.Threading.ThreadPoolWorkQueue.Dispatch"])
                .WaitsForPeer(id, SnapshotBuilder.Socket("10.0.0.7:5432"));
        }

        return Case.Of(builder.Build());
    }

    private static Case Child(bool hasMoved)
        => Moment.Both(SnapshotBuilder.Linux, (builder, moment) => builder
            .Thread(0x11, moment.Thread(), moment.At(s_exit, hasMoved))
            .WaitsForChild(0x11, 1234, UnreadOutput.Output));
}
