using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Threads that wait for tasks which nothing completes, or which make progress elsewhere.</summary>
internal static class TaskCases
{
    private const ulong Awaited = 0xa000;

    private static readonly string[] s_order = ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "Shop.Orders.Confirm"];
    private static readonly string[] s_click =
        ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "App.Window.Button_Click", "App.UiLoop.Run", "App.Program.Main"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("Main waits in a method of its own for a lost promise", Moment.Alone(SnapshotBuilder.Linux, (builder, moment) =>
                Lost(builder, moment, [.. s_order, "Shop.Program.Main"]))),
            ("lost promise, its waiter has moved", Moment.Both(SnapshotBuilder.Linux, (builder, moment) => Lost(builder, moment, moment.At(s_order, hasMoved: true)))),
            ("user interface waits for a short timer", Moment.Alone(SnapshotBuilder.Linux, (builder, moment) => Click(builder, moment, s_click, TimeSpan.FromMilliseconds(500)))),
            ("user interface waits for a timer and has moved", Moment.Both(SnapshotBuilder.Linux, (builder, moment) =>
                Click(builder, moment, moment.At(s_click, hasMoved: true), TimeSpan.FromMinutes(5)))),
            ("an async method waits for what its caller has taken", Moment.Alone(SnapshotBuilder.Linux, TakenAlready)),
        ];

    private static SnapshotBuilder Lost(SnapshotBuilder builder, Moment moment, string[] waiter)
        => builder.Thread(1, moment.Thread(), waiter)
            .Task(Awaited, TaskKind.Promise).Needs(Awaited, TaskNeedKind.Nobody).WaitsForTask(1, Awaited);

    private static SnapshotBuilder Click(SnapshotBuilder builder, Moment moment, string[] handler, TimeSpan timer)
        => builder.Thread(1, moment.Thread(), handler).UiThread(1, "App.UiLoop", "App.UiLoop.Run")
            .Task(Awaited, TaskKind.Delay).Needs(Awaited, TaskNeedKind.Timer, timer: timer).WaitsForTask(1, Awaited);

    private static SnapshotBuilder TakenAlready(SnapshotBuilder builder, Moment moment)
        => builder.Thread(1, moment.Thread(), "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow(new FlowGroup
            {
                Method = "Shop.Prices.GetAsync",
                Await = 0,
                Count = 1,
                State = FlowState.Suspended,
                AwaitedBy = ["Shop.Prices.LoadAsync"],
                Root = FlowRoot.Static,
                Sample = new Address(Awaited),
                Waits = new FlowWait
                {
                    Kind = FlowWaitKind.Semaphore,
                    Address = new Address(0xb000),
                    Entries = new SemaphoreEntries(0, 1),
                    Taker = new FlowTaker(new Address(0xc000), "Shop.Prices.LoadAsync", "gate"),
                },
            });
}
