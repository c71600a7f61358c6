using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Waits of unknown end beside what still moves in the process.</summary>
internal static class MoverCases
{
    private const string Beat = "Shop.Program.Beat";
    private const string Main = "Shop.Program.Main";
    private const string Requests = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    private static readonly FlowWait s_delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true, SetFor = TimeSpan.FromSeconds(1) };
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    private static readonly FailedGiver s_failed = new("Shop.Desk.ServeAsync", "System.FormatException");

    private static readonly OwnGiver s_own = new("Shop.Client.OnMessage", "Wire.Link.ReceiveLoop");

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("a promise in a process in which nothing acts", Case.Of(Asking().Moves(Beat, acts: false).Build())),
            ("a signal in a process in which nothing acts", Case.Of(Waiting().Moves(Beat, acts: false).Build())),
            ("a crowd of requests in a process in which nothing acts", Case.Of(Requesting(6, Main).Moves(Beat, acts: false).Build())),
            ("a request of Main in a process in which nothing acts", Case.Of(Requesting(1, Main).Moves(Beat, acts: false).Build())),
            ("a request of Main that is still in its buffer", Case.Of(Requesting(1, Main, at: 0x9100).HasUnsent(0x9100, 22).Build())),
            ("requests in a process in which nothing acts, one of them not begun", Case.Of(Requesting(2, Requests).Moves(Beat, acts: false)
                .Flow("Shop.Customers.AskAsync", Asks()).Build())),
            ("requests that wait for each other", Case.Of(Requesting(2, Requests).Build())),
            ("an exhausted semaphore in a process in which nothing acts", Case.Of(Exhausted().Moves(Beat, acts: false).Build())),
            ("a promise that work under way leads to", Case.Of(Worked().Build())),
            ("a promise that only the method brings that waits for it", Case.Of(AskingItself().Build())),
            ("a promise that only a method would keep that has failed", Case.Of(AskingFailed().Build())),
            ("a signal that only a method would give that has failed", Case.Of(Waiting().GivenByFailed(1, s_failed).Build())),
            ("a signal that only the method gives that waits for it", Case.Of(Waiting().GivenByItself(1, s_own).Build())),
        ];

    /// <summary>An async method waits for a promise, and nobody is known to keep it.</summary>
    public static SnapshotBuilder Asking() => Idle().Flow("Shop.Client.AskAsync", s_promise);

    /// <summary>The same, and a job that a library has called leads to the promise.</summary>
    public static SnapshotBuilder Worked(string caller = "Quartz.Core.JobRunShell.Run")
        => Asking()
            .Flow("Shop.CopyJob.Execute", s_delay, 1, caller)
            .Flow(OfLibrary("Quartz.Core.JobRunShell.Run"))
            .FlowReachedBy(0x7f1000000000, new ReachMover { Flow = new Address(0x7f1000001000) });

    /// <summary>It waits in the method that alone keeps the promise.</summary>
    public static SnapshotBuilder AskingItself() => Asking().FlowGivenByItself(0x7f1000000000, s_own);

    /// <summary>Who was to keep the promise has failed.</summary>
    public static SnapshotBuilder AskingFailed() => Asking().FlowGivenByFailed(0x7f1000000000, s_failed);

    private static SnapshotBuilder Waiting() => SnapshotBuilder.Linux()
        .Thread(1, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Desk.Await", "Shop.Desk.Ask", "Shop.Day.Run", "Shop.Program.Main")
        .WaitsForSignal(1, 0x5000, "answered");

    private static FlowWait Asks(ulong at = 0) => new()
    {
        Kind = FlowWaitKind.InputOutput,
        Socket = SnapshotBuilder.Socket("10.0.0.7:5432") with { At = at == 0 ? null : new Address(at) },
        Via = "System.Net.Http.HttpClient.GetStringAsyncCore",
    };

    // The process asks itself. A crowd that does is a finding of its own.
    private static SnapshotBuilder Requesting(int count, string caller, ulong at = 0)
    {
        SocketFacts listener = SnapshotBuilder.Listener("10.0.0.7:5432");
        return Idle()
            .Flow(SnapshotBuilder.Once("Shop.Prices.GetAsync", Asks(at), caller, 0x7f1000000000) with { Count = count })
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener });
    }

    private static SnapshotBuilder Exhausted()
    {
        SnapshotBuilder builder = Idle();
        LockId entries = new(LockKind.SemaphoreSlim, new Address(0x5000));
        builder.Semaphore(entries, "System.Threading.SemaphoreSlim", 0, 1);
        for (uint id = 0x11; id < 0x13; id++)
        {
            builder.Thread(id, "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Tickets.Buy")
                .Waits(id, entries, Timeout.InfiniteTimeSpan, WaitKind.Signal);
        }

        return builder;
    }

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main");

    // Its source lines are not known, and those of others are.
    private static FlowGroup OfLibrary(string method) => new()
    {
        Method = method,
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.AsyncMethod, Label = "Shop.CopyJob.Execute" },
        AwaitedBy = [],
        Root = FlowRoot.Static,
        Sample = new Address(0x7f1000002000),
    };
}
