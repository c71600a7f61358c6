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
        SocketFacts listener = SnapshotBuilder.Socket(null) with
        {
            Peer = null, IsListening = true, Listens = Known.Read("10.0.0.7:5432"), Operation = SocketOperation.Accept,
        };
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
