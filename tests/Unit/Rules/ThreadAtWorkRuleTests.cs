using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread computes, and others wait for it; what one look and several looks tell of it.</summary>
public sealed class ThreadAtWorkRuleTests
{
    private const string Match = "System.Text.RegularExpressions.RegexInterpreter.TryMatchAtCurrentPosition";
    private const string IsValid = "Shop.AddressCheck.IsValid";
    private const string Run = "Shop.Import.Run";

    [Fact]
    public void One_look_names_who_computes_where_and_for_whom()
    {
        Verdict verdict = Triage.Judge(Joined(null, Match, IsValid, Run).Build()).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Possible, "HT4004"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(2), verdict.Culprit?.Thread);
        Assert.Equal(
            "Main waits for thread 1 \"checker\", which computes in AddressCheck.IsValid; one capture cannot show whether that ends",
            verdict.Title.Text);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_async_method_that_waits_for_room_which_it_alone_can_make_waits_for_it(bool isItsReader)
    {
        FlowWait room = new()
        {
            Kind = FlowWaitKind.Pipe,
            Address = new Address(0x7a00),
            Queue = new FlowQueue(FlowQueueEnd.Writer, Used: 65_536, Capacity: 65_536, IsClosed: false),
            Reach = new WaitReach { By = FlowRoot.Thread, Thread = new ThreadId(isItsReader ? 1u : 9u), Holders = [] },
        };
        ProcessSnapshot session = SnapshotBuilder.Linux().Thread(1, Unknown("reader"), "Shop.Frames.TryRead", "Shop.Session.Read")
            .Flow("Shop.Session.FillAsync", room).Build();

        Verdict verdict = Triage.Judge(session).Verdict;

        Assert.Equal(isItsReader, verdict.Title.Text.StartsWith("Session.FillAsync (App/Program.cs:10) waits", StringComparison.Ordinal));
        Assert.Equal(!isItsReader, verdict.Title.Text.Contains("nobody is seen to wait for it", StringComparison.Ordinal));
    }

    [Fact]
    public void Who_waits_at_a_barrier_to_which_only_this_thread_can_come_is_seen()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, Unknown("column"), "Shop.Tile.Sample", "Shop.Crew.Refine");
        for (uint id = 2; id < 4; id++)
        {
            builder.Thread(id, "System.Threading.Monitor.Wait", "System.Threading.Barrier.SignalAndWait", "Shop.Crew.Refine")
                .WaitsForSignal(id, 0x5000, "System.Threading.Barrier")
                .Reached(new ThreadId(id), new WaitReach
                {
                    By = FlowRoot.Thread, Thread = new ThreadId(1), Movers = [new ReachMover { Thread = new ThreadId(1) }], Holders = [],
                });
        }

        Assert.StartsWith(
            "Thread 0 \"column\" computes in Tile.Sample, and 2 threads wait for what nobody else leads to, as",
            Triage.Judge(builder.Build()).Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_async_method_that_waits_for_what_it_has_in_hand_waits_for_it(bool hasInHand)
    {
        ReachMover engine = new() { Thread = new ThreadId(1), HasInHand = hasInHand };
        FlowWait answer = new()
        {
            Kind = FlowWaitKind.Task,
            Address = new Address(0x7a00),
            Reach = new WaitReach { By = FlowRoot.Thread, Thread = new ThreadId(1), Movers = [engine], Holders = [] },
        };
        ProcessSnapshot rebates = SnapshotBuilder.Linux().Thread(1, Unknown("engine"), "Shop.Rebates.Evaluate", "Shop.Rebates.Run")
            .Flow("Shop.Till.SettleAsync", answer).Build();

        Verdict verdict = Triage.Judge(rebates).Verdict;

        string how = hasInHand ? "has that in hand" : "alone leads to that";
        Assert.Contains($"\"engine\", which {how}, computes in Rebates.Evaluate", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_place_in_the_programs_source_is_named_and_not_that_in_a_library()
    {
        ProcessSnapshot built = SnapshotBuilder.Linux().Thread(1, Unknown("planner"), "Cron.Schedule.Next", "Shop.Planner.NextDay").Build();
        ProcessSnapshot planner = built with
        {
            Threads = Known.Read<IReadOnlyList<ThreadFacts>>(
            [
                .. built.Threads.Value.Select(thread => thread with
                {
                    Stack = thread.Stack with
                    {
                        Frames =
                        [
                            .. thread.Stack.Frames.Select(frame => frame.Method!.StartsWith("Shop.", StringComparison.Ordinal)
                                ? frame with { Source = new SourceLine("Shop/Planner.cs", 38) } : frame),
                        ],
                    },
                }),
            ]),
        };

        Assert.Contains("computes in Planner.NextDay (Shop/Planner.cs:38)", Triage.Judge(planner).Verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("computes in Schedule.Next", Triage.Judge(built).Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Said_to_hang_it_is_the_culprit()
        => Assert.Equal(VerdictKind.BusyOwner,
            Triage.Judge(Case.Of(Joined(null, Match, IsValid, Run).Build()) with { IsSaidToHang = true }).Verdict.Kind);

    [Fact]
    public void Said_to_hang_the_only_one_at_work_is_the_answer_where_no_wait_is_suspect()
    {
        ProcessSnapshot alone = SnapshotBuilder.Linux().Thread(1, Unknown("worker"), "Shop.Prices.Compute", "Shop.Prices.Run").Build();

        Assert.Equal(VerdictKind.BusyNotHung, Triage.Judge(alone).Verdict.Kind);
        Assert.Equal(VerdictKind.BusyOwner, Triage.Judge(Case.Of(alone) with { IsSaidToHang = true }).Verdict.Kind);
    }

    [Theory]
    [InlineData("a", 1.9, VerdictKind.BusyOwner)]
    [InlineData("b", 1.9, VerdictKind.BusyNotHung)]
    [InlineData("a", 0.1, VerdictKind.NotHung)]
    public void In_the_same_call_all_the_while_it_is_the_culprit_where_nothing_changed_and_it_used_the_processor(string then, double used,
        VerdictKind expected)
    {
        ProcessSnapshot[] samples =
            Looks(used, [Match, IsValid, Run], [Frame(IsValid, then), Frame(Run, "r")], [Frame(IsValid, "a"), Frame(Run, "r")]);

        Verdict verdict = Triage.Judge(Case.Of(samples)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.BusyOwner,
            verdict.Title.Text.Contains("has been in the same call of AddressCheck.IsValid", StringComparison.Ordinal));
    }

    // On a machine with more to do than processors a loop without end uses hardly any, and wants one all the while.
    [Theory]
    [InlineData(1.8, VerdictKind.BusyNotHung)]
    [InlineData(0.2, VerdictKind.NotHung)]
    public void Who_gets_no_processor_is_at_work_if_it_wants_one(double ready, VerdictKind expected)
    {
        SnapshotBuilder Sample(double used, double waited) => SnapshotBuilder.Linux()
            .Thread(1, Used("", 0), "System.Threading.Thread.Join", "Shop.Program.Main")
            .Thread(2, Used("checker", used) with { Kernel = Ready(waited) }, IsValid, Run)
            .Joins(1, 2)
            .Works(2, [Leaf(0x10, "x"), Frame(Run, "r")]);

        Verdict verdict =
            Triage.Judge(Case.Of([Sample(0.5, 20).Earlier(TimeSpan.FromSeconds(2)).Build(), Sample(0.51, 20 + ready).Build()])).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.BusyNotHung,
            verdict.Title.Text.Contains("computes in AddressCheck.IsValid", StringComparison.Ordinal));
    }

    // One look at an owner that naps and asks is no proof and no all-clear; where it has got on since an earlier one, it is none of both.
    [Theory]
    [InlineData(null, VerdictKind.Inconclusive)]
    [InlineData("t", VerdictKind.Inconclusive)]
    [InlineData("s", VerdictKind.NotHung)]
    public void An_owner_that_naps_and_asks_for_an_answer_is_a_suspect_unless_it_has_got_on(string? then, VerdictKind expected)
    {
        ProcessSnapshot[] samples = then is null ? [Naps(0)] : [Naps(2, then), Naps(0)];

        Verdict verdict = Triage.Judge(Case.Of(samples)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.Inconclusive, verdict.Title.Text.Contains("RowLock.Take", StringComparison.Ordinal));
    }

    [Fact]
    public void Who_was_looked_at_several_times_is_not_told_to_be_looked_at_so()
    {
        static bool AsksForMore(Verdict verdict)
            => verdict.Advice.Any(advice => advice.ToString().Contains("--earlier", StringComparison.Ordinal));
        ProcessSnapshot[] samples =
            Looks(1.9, [Match, IsValid, Run], [Frame(IsValid, "b"), Frame(Run, "r")], [Frame(IsValid, "a"), Frame(Run, "r")]);

        Assert.True(AsksForMore(Triage.Judge(Joined(null, Match, IsValid, Run).Build()).Verdict));
        Assert.False(AsksForMore(Triage.Judge(Case.Of(samples)).Verdict));
    }

    [Fact]
    public void Who_waited_in_an_earlier_look_has_made_progress()
    {
        ProcessSnapshot[] samples =
            Looks(1.9, ["System.Threading.Thread.Sleep", IsValid, Run], [Frame(IsValid, "a"), Frame(Run, "r")],
                [Frame(IsValid, "a"), Frame(Run, "r")], [Match, IsValid, Run]);

        Assert.Equal(VerdictKind.BusyNotHung, Triage.Judge(Case.Of(samples)).Verdict.Kind);
    }

    [Theory]
    [InlineData(0x10, "x", VerdictKind.BusyOwner)]
    [InlineData(0x10, "y", VerdictKind.BusyNotHung)]
    [InlineData(0x14, "x", VerdictKind.BusyNotHung)]
    public void In_a_loop_the_same_values_at_the_same_place_are_another_round_without_progress(ulong ip, string register,
        VerdictKind expected)
    {
        ProcessSnapshot[] samples = Looks(1.9, [IsValid, Run], [Leaf(0x10, "x"), Frame(Run, "r")], [Leaf(ip, register), Frame(Run, "r")]);

        Assert.Equal(expected, Triage.Judge(Case.Of(samples)).Verdict.Kind);
    }

    // 40 ms are rounds enough for a loop that calls nothing; between two looks without any there was no round.
    [Theory]
    [InlineData(0.04, 0.08, VerdictKind.BusyOwner)]
    [InlineData(0.04, 0.041, VerdictKind.BusyNotHung)]
    public void On_a_busy_machine_a_little_of_the_processor_each_time_is_enough_for_a_round(double second, double third,
        VerdictKind expected)
    {
        ProcessSnapshot Sample(double before, double used, string register)
        {
            SnapshotBuilder builder = SnapshotBuilder.Linux()
                .Thread(1, Used("", 0), "System.Threading.Thread.Join", "Shop.Program.Main")
                .Thread(2, Used("checker", 1 + used) with { Kernel = Ready(20 - before) }, IsValid, Run)
                .Joins(1, 2)
                .Works(2, [Leaf(0x10, register), Frame(Run, "r")]);
            return (before > 0 ? builder.Earlier(TimeSpan.FromSeconds(before)) : builder).Build();
        }

        Assert.Equal(expected, Triage.Judge(Case.Of([Sample(4, 0, "x"), Sample(2, second, "y"), Sample(0, third, "x")])).Verdict.Kind);
    }

    [Theory]
    [InlineData("x", "y", "x", VerdictKind.BusyOwner)]
    [InlineData("x", "y", "z", VerdictKind.BusyNotHung)]
    public void In_three_looks_what_is_carried_on_has_three_values(string first, string second, string third, VerdictKind expected)
    {
        ProcessSnapshot[] samples =
        [
            Look(4, 0, [IsValid, Run], [Leaf(0x10, first), Frame(Run, "r")]),
            Look(2, 1.9, [IsValid, Run], [Leaf(0x14, second), Frame(Run, "r")]),
            Look(0, 3.8, [IsValid, Run], [Leaf(0x18, third), Frame(Run, "r")]),
        ];

        Assert.Equal(expected, Triage.Judge(Case.Of(samples)).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, "r", VerdictKind.BusyOwner)]
    [InlineData(false, "r", VerdictKind.BusyNotHung)]
    [InlineData(true, "s", VerdictKind.BusyNotHung)]
    public void Who_throws_again_and_again_below_a_loop_in_which_nothing_changes_gets_nowhere(bool isThrowing, string then,
        VerdictKind expected)
    {
        WorkFrame loop = Frame(Run, "r") with { Loop = new WorkLoop(0, 20, ["Shop.AddressCheck.IsValid"]) };
        WorkFacts Works(string state, string inner) => new()
        {
            Thread = new ThreadId(2),
            Ip = new Address(0x10),
            IsThrowing = isThrowing,
            Frames = [Frame(IsValid, inner), loop with { Locals = state }],
        };
        ProcessSnapshot[] samples =
        [
            Joined(0, "System.Runtime.EH.DispatchEx", IsValid, Run).Works(Works(then, "a")).Earlier(TimeSpan.FromSeconds(2)).Build(),
            Joined(1.9, "System.Runtime.EH.DispatchEx", IsValid, Run).Works(Works("r", "b")).Build(),
        ];

        Assert.Equal(expected, Triage.Judge(Case.Of(samples)).Verdict.Kind);
    }

    [Theory]
    [InlineData(true, VerdictKind.Corruption)]
    [InlineData(false, VerdictKind.BusyNotHung)]
    public void A_circle_in_what_the_loop_walks_is_told_from_one_look(bool isAwaited, VerdictKind expected)
    {
        SnapshotBuilder builder = isAwaited
            ? Joined(null, IsValid, Run)
            : SnapshotBuilder.Linux().Thread(2, Unknown("checker"), IsValid, Run);

        Verdict verdict = Triage.Judge(Walks(builder).Build()).Verdict;

        Assert.Equal((expected, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("walks 3 objects of Category in a circle (Category.Parent) in AddressCheck.IsValid", verdict.Title.Text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void The_place_is_what_all_looks_share()
    {
        ProcessSnapshot[] samples =
            Looks(1.9, [Match, IsValid, Run], [Frame("Shop.Import.Next", "n"), Frame(Run, "q")], [Frame(IsValid, "a"), Frame(Run, "r")]);

        Assert.Contains("computes in Import.Run", Triage.Judge(Case.Of(samples)).Verdict.Title.Text, StringComparison.Ordinal);
    }

    /// <summary>For the policy: each thing that samples can show of a thread at work.</summary>
    internal static IEnumerable<(string Name, Case Case)> Cases()
        =>
        [
            ("at work in the same call of two samples",
                Case.Of(Looks(1.9, [Match, IsValid, Run], [Frame(IsValid, "a"), Frame(Run, "r")], [Frame(IsValid, "a"), Frame(Run, "r")]))),
            ("at work in the same round of two samples",
                Case.Of(Looks(1.9, [IsValid, Run], [Leaf(0x10, "x"), Frame(Run, "r")], [Leaf(0x10, "x"), Frame(Run, "r")]))),
            ("goes round a loop without end, alone",
                Case.Of(Repeats(SnapshotBuilder.Linux().Thread(2, Unknown("checker"), IsValid, Run)).Build())),
            ("goes round a loop without end, awaited", Case.Of(Repeats(Joined(null, IsValid, Run)).Build())),
            ("walks a circle, awaited", Case.Of(Walks(Joined(null, IsValid, Run)).Build())),
            ("walks a circle, alone", Case.Of(Walks(SnapshotBuilder.Linux().Thread(2, Unknown("checker"), IsValid, Run)).Build())),
            ("naps under a lock and asks again", Case.Of([.. new[] { 4d, 2d, 0d }.Select(before => Naps(before))])),
        ];

    [Fact]
    public void A_loop_that_is_proved_to_have_no_end_is_a_hang_from_one_capture_where_somebody_waits()
    {
        Verdict verdict = Triage.Judge(Repeats(Joined(null, IsValid, Run)).Build()).Verdict;

        Assert.Equal((VerdictKind.BusyOwner, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("goes round a loop of AddressCheck.IsValid", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("that has no end", verdict.Title.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("one capture cannot show", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Nobody_is_held_up_by_a_loop_without_end_that_nobody_waits_for()
        => Assert.Equal(
            VerdictKind.BusyNotHung,
            Triage.Judge(Repeats(SnapshotBuilder.Linux().Thread(2, Unknown("checker"), IsValid, Run)).Build()).Verdict.Kind);

    private static SnapshotBuilder Repeats(SnapshotBuilder builder)
        => builder.Works(new WorkFacts { Thread = new ThreadId(2), Ip = new Address(0x10), Frames = [Leaf(0x10, "x"),
            Frame(Run, "r")], Repeat = new WorkRepeat(IsValid, Rounds: 2, Instructions: 31) });

    private static SnapshotBuilder Walks(SnapshotBuilder builder)
        => builder.Works(new WorkFacts { Thread = new ThreadId(2), Ip = new Address(0x10), Frames = [Leaf(0x10, "x"),
            Frame(Run, "r")], Circle = new WorkCircle(IsValid, "Shop.Category", "Shop.Category.Parent", 3, new Address(0x5000)) });

    private static ProcessSnapshot Naps(double before, string state = "t")
    {
        const string Take = "Shop.RowLock.Take";
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, Used("clerk", 4 - before), "System.Threading.Thread.Sleep", Take, Run)
            .Thread(2, Used("", 0), "System.Threading.Monitor.Enter_Slowpath", "Shop.Program.Main")
            .Lock(gate, 1)
            .Waits(2, gate)
            .Polls(new PollFacts { Thread = new ThreadId(1), Method = Take, Fields = [], Calls = ["Shop.RowLock.IsFree"], Traits = PollTraits.HasExit })
            .Works(new WorkFacts { Thread = new ThreadId(1), Ip = new Address(0x10), IsPausing = true, Frames = [Frame(Take, state),
                Frame(Run, "r")] });
        return (before > 0 ? builder.Earlier(TimeSpan.FromSeconds(before)) : builder).Build();
    }

    private static ThreadOptions Unknown(string name) => new() { Name = name, Cpu = null, Life = null };

    private static ThreadOptions Used(string name, double seconds)
        => new() { Name = name, Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = TimeSpan.FromSeconds(60) };

    private static KernelThreadFacts Ready(double seconds)
        => new(KernelThreadState.Running, Known.Read(100L), Known.Read(string.Empty)) { Ready = TimeSpan.FromSeconds(seconds) };

    private static WorkFrame Frame(string method, string state) => SnapshotBuilder.WorkFrame(method, state);

    private static WorkFrame Leaf(ulong ip, string register)
        => Frame(IsValid, "a") with { Ip = new Address(ip), IsInnermost = true, Registers = ["1", register] };

    private static SnapshotBuilder Joined(double? used, params string[] frames)
        => SnapshotBuilder.Linux()
            .Thread(1, used is null ? Unknown("") : Used("", 0), "System.Threading.Thread.Join", "Shop.Program.Main")
            .Thread(2, used is { } seconds ? Used("checker", seconds) : Unknown("checker"), frames)
            .Joins(1, 2);

    private static ProcessSnapshot Look(double before, double used, string[] stack, WorkFrame[] frames)
    {
        SnapshotBuilder builder = Joined(used, stack).Works(2, frames);
        return (before > 0 ? builder.Earlier(TimeSpan.FromSeconds(before)) : builder).Build();
    }

    private static ProcessSnapshot[] Looks(double used, string[] then, WorkFrame[] first, WorkFrame[] second, string[]? now = null)
        => [Look(2, 0, then, first), Look(0, used, now ?? then, second)];
}
