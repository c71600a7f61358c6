using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Main waits for a signal that another thread surely gives as soon as its own wait ends.</summary>
public sealed class SureSignalTests
{
    private const uint Main = 1;
    private const uint Engine = 2;

    private static readonly WaitReach s_byEngine = new()
    {
        By = FlowRoot.Thread,
        Thread = new ThreadId(Engine),
        Signaller = new ReachSignaller { Kind = FlowRoot.Thread, Thread = new ThreadId(Engine) },
        Holders = [],
    };

    public static TheoryData<TimeSpan, VerdictKind> Limits => new()
    {
        { TimeSpan.FromMinutes(6), VerdictKind.NotHung },
        { TimeSpan.FromHours(6), VerdictKind.Inconclusive },
        { Timeout.InfiniteTimeSpan, VerdictKind.Inconclusive },
    };

    [Theory]
    [MemberData(nameof(Limits))]
    public void Who_waits_for_a_time_comes_to_what_is_behind_it(TimeSpan limit, VerdictKind expected)
        => Assert.Equal(
            expected, Triage.Judge(Waiting().WaitsForSignal(Engine, 0x2000, "Engine._exited", limit).Build()).Verdict.Kind);

    [Theory]
    [InlineData(20, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.Inconclusive)]
    public void So_does_he_who_waits_for_a_task_for_a_time(int? seconds, VerdictKind expected)
        => Assert.Equal(
            expected,
            Triage.Judge(Waiting()
                .Task(0x3000, TaskKind.Promise)
                .WaitsForTask(Engine, 0x3000, seconds is { } limit ? TimeSpan.FromSeconds(limit) : Timeout.InfiniteTimeSpan)
                .Build()).Verdict.Kind);

    private static SnapshotBuilder Waiting()
        => SnapshotBuilder.Linux()
            .Thread(
                Main, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "Shop.Grid.Run", "Shop.Program.Main")
            .Thread(Engine, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Engine.Run", "Shop.Grid.Run")
            .WaitsForSignal(Main, 0x1000, "Grid._phases")
            .Reached(new ThreadId(Main), s_byEngine);
}
