using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A wait of unknown end is no hang where work that a library has given to the program leads to it and ends by itself.</summary>
public sealed class WorkUnderWayTests
{
    private const ulong Asked = 0x7f1000000000;
    private const ulong Other = 0x7f1000001000;

    private const ulong Answering = 0x7f1000009000;
    private const string Store = "127.0.0.1:5432";

    private static readonly FlowWait s_forAnybody = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7b00) };
    private static readonly FlowWait s_delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true, SetFor = TimeSpan.FromSeconds(1) };

    [Fact]
    public void A_job_that_a_library_has_called_may_end_the_wait_and_is_named()
    {
        Verdict verdict = Judge(MoverCases.Worked());

        Assert.Equal((VerdictKind.NotHung, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Client.AskAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("CopyJob.Execute", verdict.Title.Text, StringComparison.Ordinal);
    }

    // What the program has begun itself may go round for ever beside a hang, and so may what a host runs beside itself.
    [Theory]
    [InlineData("Shop.Program.Main")]
    [InlineData(HostCalls.RunOfService)]
    public void A_loop_of_the_program_s_own_is_no_reason(string caller)
        => Assert.Equal(VerdictKind.Inconclusive, Judge(MoverCases.Worked(caller)).Kind);

    [Theory]
    [InlineData("System.Threading.Tasks.ContinueWithTaskContinuation", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task+WhenAllPromise", VerdictKind.Inconclusive)]
    [InlineData(null, VerdictKind.Inconclusive)]
    public void A_library_that_continues_behind_a_method_has_called_it(string? continuedBy, VerdictKind expected)
        => Assert.Equal(expected, Judge(MoverCases.Asking()
            .Flow("Shop.TideActor.OnTide", s_delay)
            .FlowReachedBy(Asked, new ReachMover { Flow = new Address(Other), ContinuedBy = continuedBy })).Kind);

    [Fact]
    public void What_waits_without_end_itself_is_no_work()
        => Assert.Equal(VerdictKind.Inconclusive, Judge(MoverCases.Asking()
            .Flow("Shop.TideActor.OnTide", s_delay with { Kind = FlowWaitKind.InputOutput, EndsByTimer = false, EndsByToken = true })
            .FlowReachedBy(Asked, new ReachMover { Flow = new Address(Other), ContinuedBy = "System.Action" })).Kind);

    // A handler of a library's that asks the process itself: who answers is a method that pauses, or one that nobody is known to continue.
    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_handler_that_the_process_itself_answers_in_time_is_work(bool isTimed, VerdictKind expected)
        => Assert.Equal(expected, Judge(MoverCases.Asking()
            .Flow("Shop.StoreBlock.WriteAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(Store) })
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Listener(Store) })
            .Flow(SnapshotBuilder.Once("Shop.Server.AnswerAsync", isTimed ? s_delay : s_forAnybody, "Shop.Program.Main", Answering) with
            {
                AcceptedAt = Store,
            })
            .FlowReachedBy(Asked, new ReachMover
            {
                Flow = new Address(Other), ContinuedBy = "System.Threading.Tasks.ContinueWithTaskContinuation",
            })).Kind);

    [Fact]
    public void The_user_who_says_that_it_hangs_is_believed()
        => Assert.Equal(
            VerdictKind.NeverCompleted, Triage.Judge(Case.Of(MoverCases.Worked().Build()) with { IsSaidToHang = true }).Verdict.Kind);

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
