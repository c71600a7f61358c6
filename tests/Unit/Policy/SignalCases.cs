using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Waits that nothing can end, over time and behind static fields.</summary>
internal static class SignalCases
{
    private static readonly string[] s_decode = ["System.Threading.WaitHandle.WaitOneNoCheck", "App.Video.Decode"];
    private static readonly string[] s_render = ["System.Threading.WaitHandle.WaitOneNoCheck", "App.Video.Render"];
    private static readonly string[] s_load = ["System.Threading.Monitor.Wait", "System.Threading.CountdownEvent.Wait", "App.Loader.LoadAll", "App.Program.Main"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("lost signal, its waiter has moved", Moment.Both(SnapshotBuilder.Linux, (builder, moment) => Lost(builder, moment, hasMoved: true))),
            ("lost signal in a static field", Moment.Alone(SnapshotBuilder.Linux, (builder, moment) => Lost(builder, moment, hasMoved: false).InStatics())),
            ("signals in a circle, a thread has moved", Moment.Both(SnapshotBuilder.Linux, (builder, moment) => Circle(builder, moment, hasMoved: true))),
            ("signals in a circle, in static fields", Moment.Alone(SnapshotBuilder.Linux, (builder, moment) => Circle(builder, moment, hasMoved: false).InStatics())),
        ];

    private static SnapshotBuilder Lost(SnapshotBuilder builder, Moment moment, bool hasMoved)
        => builder.Thread(0x11, moment.Thread(), moment.At(s_load, hasMoved)).WaitsForSignal(0x11, 0x5000, "System.Threading.CountdownEvent").Lost(0x11);

    private static SnapshotBuilder Circle(SnapshotBuilder builder, Moment moment, bool hasMoved)
        => builder
            .Thread(0x11, moment.Thread(), moment.At(s_decode, hasMoved))
            .Thread(0x12, moment.Thread(), moment.At(s_render, hasMoved))
            .WaitsForSignal(0x11, 0x5000, "rendered")
            .WaitsForSignal(0x12, 0x6000, "decoded")
            .Lost(0x11, Of(0x12))
            .Lost(0x12, Of(0x11));

    private static ReachHolder Of(uint thread) => new() { Thread = new ThreadId(thread) };
}
