using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class EndlessPollRuleTests
{
    private const string Wait = "Shop.Cache.Wait";
    private const string Field = "Shop.Cache._loaded";

    [Fact]
    public void A_worker_of_its_own_that_looks_at_a_flag_may_idle()
        => Assert.Equal(VerdictKind.NotHung, Judge(SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(1, Wait, Field)).Verdict.Kind);

    // It never sleeps: a worker is at it, or the rest of it is queued, whenever one looks.
    [Theory]
    [InlineData(true, VerdictKind.NeverCompleted)]
    [InlineData(false, VerdictKind.NotHung)]
    public void An_async_method_that_yields_and_asks_is_the_culprit_where_Main_waits_for_it_through_others(bool isAwaited, VerdictKind kind)
    {
        const ulong Run = 0x7f1000000000, Settle = 0x7f1000001000;
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, isAwaited ? "System.Threading.Monitor.Wait" : "System.Console.ReadLine", "Shop.Program.Main")
            .Task(Run, TaskKind.AsyncMethod, "Shop.Import.Run").Task(Settle, TaskKind.AsyncMethod, "Shop.Import.Settle")
            .Needs(Run, TaskNeedKind.Task, Settle)
            .Flow("Shop.Import.Run", new FlowWait { Kind = FlowWaitKind.AsyncMethod, Address = new Address(Settle), Label = "Shop.Import.Settle" })
            .Flow("Shop.Import.Settle", new FlowWait { Kind = FlowWaitKind.Queued }, 1, "Shop.Import.Run")
            .Polls(SnapshotBuilder.PollOf("Shop.Import.Settle", "Shop.Import._done") with { Flow = new Address(Settle) });

        Assert.Equal(kind, Judge(isAwaited ? builder.WaitsForTask(1, Run) : builder).Verdict.Kind);
    }

    [Theory]
    [InlineData(PollTraits.HasExit | PollTraits.AfterFailure, VerdictKind.Inconclusive)]
    [InlineData(PollTraits.AfterFailure, VerdictKind.NotHung)]
    [InlineData(PollTraits.HasExit | PollTraits.AfterFailure | PollTraits.HasLimit, VerdictKind.NotHung)]
    [InlineData(PollTraits.HasExit | PollTraits.AfterFailure | PollTraits.HasToken, VerdictKind.NotHung)]
    public void Main_that_tries_a_call_again_after_each_failure_is_not_called_healthy(PollTraits traits, VerdictKind kind)
    {
        PollFacts poll = new() { Thread = new ThreadId(1), Method = "Shop.Journal.Append", Fields = ["Shop.Journal._path"], Calls = ["System.IO.FileStream..ctor"], Traits = traits };

        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "Shop.Journal.Append", "Shop.Program.Main").Polls(poll)).Verdict;

        Assert.Equal(kind, verdict.Kind);
        Assert.Equal(kind == VerdictKind.Inconclusive, verdict.Title.Text.Contains("until IO.FileStream fails no more", StringComparison.Ordinal));
    }

    // It sleeps, yields and works without coming any further: what tells is whether it was elsewhere.
    [Theory]
    [InlineData("System.Threading.Thread.Sleep", Wait, true)]
    [InlineData("System.Threading.Thread.Yield", Wait, true)]
    [InlineData("System.Threading.Thread.Yield", "Shop.Cache.Load", false)]
    public void A_request_that_went_round_the_loop_in_an_earlier_sample_is_a_suspect_whatever_it_has_used_since(string callThen, string methodThen, bool isSuspect)
    {
        const string Pool = "System.Threading.ThreadPoolWorkQueue.Dispatch";
        ProcessSnapshot then = SnapshotBuilder.Linux().Earlier(TimeSpan.FromSeconds(2))
            .Thread(1, Used(1, of: 3_598), callThen, "System.Threading.SpinWait.SpinOnceCore", methodThen, Pool).Polls(1, methodThen, Field).Build();
        ProcessSnapshot now = SnapshotBuilder.Linux().Thread(1, Used(2, of: 3_600), "System.Threading.Thread.Sleep", "System.Threading.SpinWait.SpinOnceCore", Wait, Pool).Polls(1, Wait, Field).Build();

        TriageResult result = Triage.Judge(Case.Of([then, now]));

        Assert.Null(result.Case.Joins[0].WhyNot);
        Assert.Equal(isSuspect, result.Verdict.Suspects.Any(suspect => suspect.Matters));
    }

    // The loop that a thread begins with, one with another end, one that is told to stop by what it asks.
    [Theory]
    [InlineData("Jobs.IStorage.GetState", PollTraits.HasExit, true, VerdictKind.Inconclusive)]
    [InlineData("Jobs.IStorage.GetState", PollTraits.HasExit, false, VerdictKind.NotHung)]
    [InlineData("Jobs.IStorage.GetState", PollTraits.HasExit | PollTraits.HasLimit, true, VerdictKind.NotHung)]
    [InlineData("Jobs.IStorage.GetState", PollTraits.HasExit | PollTraits.HasToken, true, VerdictKind.NotHung)]
    [InlineData("Jobs.IStorage.GetState", PollTraits.None, true, VerdictKind.NotHung)]
    [InlineData("Jobs.IServer.get_IsRunning", PollTraits.HasExit, true, VerdictKind.NotHung)]
    public void A_job_that_asks_somebody_else_until_the_answer_is_another_is_not_called_healthy(string call, PollTraits traits, bool isCalled, VerdictKind kind)
    {
        PollFacts poll = new() { Thread = new ThreadId(1), Method = "Shop.MonthClose.AwaitJob", Fields = [], Calls = [call], Traits = traits };
        string[] frames = isCalled
            ? ["System.Threading.Thread.Sleep", "Shop.MonthClose.AwaitJob", "Shop.MonthClose.Close", "Jobs.Worker.Perform"]
            : ["System.Threading.Thread.Sleep", "Shop.MonthClose.AwaitJob"];

        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(1, frames).Polls(poll)).Verdict;

        Assert.Equal(kind, verdict.Kind);
        Assert.Equal(kind == VerdictKind.Inconclusive, verdict.Title.Text.Contains("until IStorage.GetState gives another answer", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(2, VerdictKind.Deadlock)]
    [InlineData(3, VerdictKind.Orphaned)]
    public void Of_those_that_try_for_a_lock_the_one_that_has_taken_it_is_the_culprit(uint holder, VerdictKind expected)
    {
        PollFacts Tries(uint thread)
        {
            PollFacts poll = SnapshotBuilder.PollOf("Shop.Gate.Enter", "Shop.Gate._taken");
            return poll with
            {
                Thread = new ThreadId(thread),
                Traits = PollTraits.HasExit | PollTraits.TakesLock,
                Bringers = poll.Bringers!.Select(
                    known => known with { Holders = [new PollHolder(new ThreadId(holder), "Shop.Map.Assign")] }),
            };
        }

        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", "Shop.Gate.Enter", "Shop.Map.Assign").Polls(Tries(1))
            .Thread(2, "System.Threading.Thread.Sleep", "Shop.Gate.Enter", "Shop.Map.Count", "Shop.Map.Assign").Polls(Tries(2))).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.Deadlock, verdict.Culprit?.Thread == new ThreadId(2));
        Assert.Equal(
            expected == VerdictKind.Deadlock,
            verdict.Title.Text.Contains("has taken it itself, in Map.Assign", StringComparison.Ordinal));
    }

    [Fact]
    public void Whoever_waits_for_the_end_of_such_threads_brings_nothing()
    {
        TriageResult result = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main").Joins(1, 2)
            .Thread(2, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(2, Wait, Field, 1));

        Assert.Equal((VerdictKind.NeverCompleted, "HT4003"), (result.Verdict.Kind, result.Verdict.Rule?.Id));
    }

    [Fact]
    public void Whoever_waits_for_the_end_of_another_thread_may_bring_it()
    {
        TriageResult result = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main").Joins(1, 3)
            .Thread(2, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(2, Wait, Field, 1)
            .Thread(3, "Shop.Import.Run"));

        Assert.NotEqual(VerdictKind.NeverCompleted, result.Verdict.Kind);
    }

    [Fact]
    public void A_worker_that_Main_waits_for_hangs()
    {
        TriageResult result = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main").Joins(1, 2)
            .Thread(2, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(2, Wait, Field));

        Assert.Equal((VerdictKind.NeverCompleted, "HT4003"), (result.Verdict.Kind, result.Verdict.Rule?.Id));
        Assert.Equal(new ThreadId(2), result.Verdict.Culprit?.Thread);
        Assert.Contains("Cache._loaded", result.Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_flag_that_only_a_thread_behind_a_held_lock_can_set_closes_a_circle()
    {
        TriageResult result = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(1, Wait, Field, 2)
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "Shop.Cache.Set")
            .Lock(SnapshotBuilder.Monitor(0x1000), 1)
            .Waits(2, SnapshotBuilder.Monitor(0x1000)));

        Assert.Equal((VerdictKind.Deadlock, "HT1001"), (result.Verdict.Kind, result.Verdict.Rule?.Id));
    }

    [Fact]
    public void One_of_two_who_can_set_it_keeps_a_circle_open()
    {
        TriageResult result = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", Wait, "Shop.Worker.Run").Polls(1, Wait, Field, 2, 3)
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "Shop.Cache.Set")
            .Thread(3, "Shop.Cache.Compute")
            .Lock(SnapshotBuilder.Monitor(0x1000), 1)
            .Waits(2, SnapshotBuilder.Monitor(0x1000)));

        Assert.NotEqual(VerdictKind.Deadlock, result.Verdict.Kind);
    }

    [Fact]
    public void A_TryEnter_that_only_gets_round_to_the_next_is_a_wait_without_end()
        => Assert.Equal(VerdictKind.Deadlock, Judge(Tries(Tries(Held(), 1, 0x2000), 2, 0x1000)).Verdict.Kind);

    [Fact]
    public void A_TryEnter_that_gives_up_is_none()
        => Assert.Equal(VerdictKind.NotHung, Judge(Enters(Enters(Held(), 1, 0x2000), 2, 0x1000)).Verdict.Kind);

    [Theory]
    [InlineData(PollTraits.HasExit | PollTraits.HasLimit)]
    [InlineData(PollTraits.HasExit | PollTraits.HasToken)]
    [InlineData(PollTraits.None)]
    public void A_loop_with_another_end_or_none_says_nothing(PollTraits traits)
        => Assert.Equal(VerdictKind.NotHung, Judge(Polling().Polls(SnapshotBuilder.PollOf(Wait, Field) with { Thread = new ThreadId(1), Traits = traits })).Verdict.Kind);

    [Fact]
    public void Work_that_a_delegate_holds_leaves_it_open_who_sets_the_flag()
    {
        PollFacts poll = SnapshotBuilder.PollOf(Wait, Field) with { Thread = new ThreadId(1) };

        TriageResult result = Judge(Polling().Polls(poll with { Bringers = poll.Bringers!.Select(bringers => bringers with { IsByDelegate = true }) }));

        Assert.Equal(VerdictKind.Inconclusive, result.Verdict.Kind);
        Assert.Contains("until Cache._loaded changes", result.Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Wait, false)]
    [InlineData("Shop.Cache.Load", true)]
    public void A_loop_uses_time_at_its_place_which_is_no_progress_and_elsewhere_it_is(string placeThen, bool hasMoved)
    {
        ProcessSnapshot then = Looping(placeThen, TimeSpan.FromSeconds(1)).Earlier(TimeSpan.FromSeconds(10)).Build();

        Verdict verdict = Triage.Judge(Case.Of([then, Looping(Wait, TimeSpan.FromSeconds(3)).Build()])).Verdict;

        Assert.Equal("HT4003", verdict.Rule?.Id);
        Assert.Equal(hasMoved, verdict.Contradictions.Any(evidence => evidence.Source == "earlier capture"));
    }

    private static SnapshotBuilder Looping(string place, TimeSpan used) => SnapshotBuilder.Linux()
        .Thread(1, new ThreadOptions { Cpu = new CpuTime(used, TimeSpan.Zero), Life = null }, "System.Threading.Thread.Sleep", place, "Shop.Program.Main").Polls(1, Wait, Field);

    private static SnapshotBuilder Polling() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", Wait, "Shop.Program.Main");

    private static SnapshotBuilder Held() => SnapshotBuilder.Linux().Lock(SnapshotBuilder.Monitor(0x1000), 1).Lock(SnapshotBuilder.Monitor(0x2000), 2);

    private static SnapshotBuilder Enters(SnapshotBuilder builder, uint thread, ulong monitor)
        => builder.Thread(thread, "System.Threading.Monitor.TryEnter_Slowpath", "Shop.Gate.EnterAnyhow")
            .Waits(thread, SnapshotBuilder.Monitor(monitor), timeout: TimeSpan.FromMilliseconds(20));

    private static SnapshotBuilder Tries(SnapshotBuilder builder, uint thread, ulong monitor)
        => Enters(builder, thread, monitor).Polls(SnapshotBuilder.PollOf("Shop.Gate.EnterAnyhow", "Shop.Gate._gate") with
        {
            Thread = new ThreadId(thread), Fields = [], Bringers = null, Traits = PollTraits.HasExit | PollTraits.TakesLock,
        });

    private static TriageResult Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build());

    private static ThreadOptions Used(double seconds, double of)
        => new() { Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = TimeSpan.FromSeconds(of) };
}
