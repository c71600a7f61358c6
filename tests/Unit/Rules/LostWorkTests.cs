using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A queue that nobody is left to fill is a hang where Main was to do the work, and none where a worker was.</summary>
public sealed class LostWorkTests
{
    private const string Queue = "System.Collections.Concurrent.BlockingCollection<System.Int32>.";
    private const string Enumerates = Queue + "<GetConsumingEnumerable>d__68.MoveNext";
    private static readonly string[] s_waits = ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait"];

    [Theory]
    [InlineData(Queue + "Take < App.Program.Main")]
    [InlineData(Queue + "TryTakeWithNoTimeValidation < " + Enumerates + " < App.Program.Main")]
    [InlineData(Queue + "TryTakeWithNoTimeValidation < " + Queue + "Take < App.Orders.Next < App.Orders.Run < App.Program.Main")]
    public void Main_at_a_queue_that_nothing_can_fill_waits_forever_whatever_else_runs(string stack)
    {
        Verdict verdict = Expect(VerdictKind.NeverCompleted, Takes(stack).Lost(1).Running("a timer"));

        Assert.Equal(new ThreadId(1), verdict.Culprit?.Thread);
        Expect(VerdictKind.NeverCompleted, Takes(stack).Lost(1));
        Expect(VerdictKind.NotHung, Takes(stack).ReachedByTimer(1).Running("a timer"));
        Expect(VerdictKind.NotHung, Takes(stack));
    }

    [Fact]
    public void A_worker_at_such_a_queue_is_idle()
        => Expect(VerdictKind.NotHung, Takes(Queue + "Take < App.Worker.Loop").Lost(1).Running("a timer"));

    [Fact]
    public void A_time_limit_ends_the_wait_for_an_item()
        => Expect(VerdictKind.NotHung, Takes(Queue + "TryTake < App.Program.Main", TimeSpan.FromSeconds(5)).Lost(1).Running("a timer"));

    // Whether somebody can come to the field is known only where code besides Main's fills the queue.
    [Theory]
    [InlineData("App.Feeder.Feed", VerdictKind.NeverCompleted)]
    [InlineData("App.Program.Main", VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    public void A_queue_in_a_static_field_is_lost_where_those_who_fill_it_cannot_come_there(string? giver, VerdictKind expected)
    {
        SnapshotBuilder takes = Takes(Queue + "Take < App.Program.Main").Running("a timer");

        Expect(expected, giver is null ? takes.Lost(1).InStatics() : takes.LostInField(1, giver));
    }

    // Nobody posts to it: what the async methods of such a program wait for says whether that is a hang.
    [Fact]
    public void The_queue_of_a_context_of_Mains_own_is_no_work_of_Main()
        => Expect(
            VerdictKind.NotHung,
            Takes(Queue + "Take < App.Pump.Run < App.Program.Main").UiThread(1, "App.Pump", "App.Pump.Run").Lost(1).Running("a timer"));

    // A collection of the program's own behind the queue waits for something else.
    [Theory]
    [InlineData("App.Store.TryTake < " + Queue + "TryTakeWithNoTimeValidation < App.Program.Main", VerdictKind.NotHung)]
    [InlineData(Queue + "TryTakeWithNoTimeValidation < App.Store.TryTake < App.Program.Main", VerdictKind.NeverCompleted)]
    public void What_the_programs_own_code_waits_for_within_the_call_is_no_item(string stack, VerdictKind expected)
        => Expect(expected, Takes(stack).Lost(1).Running("a timer"));

    private static SnapshotBuilder Takes(string stack, TimeSpan? limit = null)
        => SnapshotBuilder.Linux().Thread(1, [.. s_waits, .. stack.Split(" < ")]).WaitsForSignal(1, 0x5000, "items", limit);

    private static Verdict Expect(VerdictKind kind, SnapshotBuilder builder)
    {
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal((kind, kind == VerdictKind.NotHung ? null : "HT2012"), (verdict.Kind, verdict.Rule?.Id));
        return verdict;
    }
}
