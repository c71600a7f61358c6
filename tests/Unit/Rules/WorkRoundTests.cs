using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Rounds of a loop in several looks: whether what decides how it continues is the same as before.</summary>
public sealed class WorkRoundTests
{
    private const string Drain = "Shop.Jobs.Drain";
    private const string Run = "Shop.Jobs.Run";

    [Theory]
    [InlineData("2s|7t|2s", VerdictKind.BusyOwner)]
    [InlineData("2s|7t|2u", VerdictKind.BusyNotHung)]
    [InlineData("2s|2s|2s", VerdictKind.BusyNotHung)]
    [InlineData("2s|2s|7t", VerdictKind.BusyNotHung)]
    public void Who_has_gone_round_and_is_in_the_same_place_with_the_same_values_gets_nowhere(string looks, VerdictKind expected)
        => Assert.Equal(expected, Judge(looks, look => Round(look[0] - '0', look[1..])).Kind);

    [Fact]
    public void A_count_of_its_rounds_shows_that_one_has_passed()
    {
        Assert.Equal(VerdictKind.BusyOwner, Judge("2x|2y|2z", look => Round(2, "s") with { Counts = look }).Kind);
        Assert.Equal(VerdictKind.BusyNotHung, Judge("2x|2x|2x", look => Round(2, "s") with { Counts = look }).Kind);
    }

    // Taken and put back: in the first half of each round the queue has one less.
    [Theory]
    [InlineData("1a|5b|2a|6b", VerdictKind.BusyOwner)]
    [InlineData("1a|5b|2c|6d", VerdictKind.BusyNotHung)]
    [InlineData("1a|2a|5b|6b", VerdictKind.BusyNotHung)]
    [InlineData("1a|5b|6a|2b", VerdictKind.BusyNotHung)]
    public void What_a_round_hands_to_the_next_is_the_same_wherever_in_it_the_thread_was(string looks, VerdictKind expected)
    {
        int number = 0;

        Assert.Equal(expected, Judge(looks, look => Round(look[0] - '0', $"s{number++}") with { Carried = look[1..] }).Kind);
    }

    [Fact]
    public void A_loop_that_another_loop_begins_anew_makes_progress_there()
    {
        int number = 0;
        Verdict verdict = Judge("2s|7t|2s", look => Round(look[0] - '0', look[1..]), () => $"{number++}");

        Assert.Equal(VerdictKind.BusyNotHung, verdict.Kind);
    }

    [Theory]
    [InlineData("1a|2b|3c", false, VerdictKind.BusyNotHung)]
    [InlineData("1a|2b|3c", true, VerdictKind.BusyOwner)]
    [InlineData("2s|7t|2s", false, VerdictKind.BusyOwner)]
    [InlineData("2s", false, VerdictKind.BusyOwner)]
    public void A_locks_owner_that_three_looks_do_not_show_to_stand_still_is_no_hang(string looks, bool isSaidToHang, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(Owner(looks) with { IsSaidToHang = isSaidToHang }).Verdict.Kind);

    [Theory]
    [InlineData(1.5, VerdictKind.Inconclusive)]
    [InlineData(0, VerdictKind.NotHung)]
    public void Who_computes_on_a_stack_without_a_method_of_the_programs_is_not_called_healthy(double used, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, Used("", 0), "System.Threading.Thread.Join", "Shop.Program.Main")
            .Thread(2, Used("worker", used) with { Life = TimeSpan.FromSeconds(2) }, "System.Threading.Thread.StartCallback")
            .Joins(1, 2).Build()).Verdict.Kind);

    /// <summary>For the policy: a lock's owner that makes progress.</summary>
    internal static IEnumerable<(string Name, Case Case)> Cases()
        =>
        [
            ("a lock's owner makes progress", Owner("1a|2b|3c")),
            ("a lock's owner makes progress and is said to hang", Owner("1a|2b|3c") with { IsSaidToHang = true }),
        ];

    private static Case Owner(string looks)
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        return Looks(looks, look => Round(look[0] - '0', look[1..]), null, builder =>
        {
            foreach (uint waiter in (uint[])[3, 4, 5])
            {
                builder = builder.Thread(waiter, Used("", 0), "System.Threading.Monitor.Enter_Slowpath", "Shop.Jobs.Ask").Waits(waiter,
                    gate);
            }

            return builder.Lock(gate, 2);
        });
    }

    private static Verdict Judge(string looks, Func<string, WorkRound> round, Func<string>? outer = null)
        => Triage.Judge(Looks(looks, round, outer, builder
            => builder.Thread(1, Used("", 0), "System.Threading.Thread.Join", "Shop.Program.Main").Joins(1, 2))).Verdict;

    private static Case Looks(string looks, Func<string, WorkRound> round, Func<string>? outer, Func<SnapshotBuilder,
        SnapshotBuilder> others)
    {
        string[] each = looks.Split('|');
        List<ProcessSnapshot> samples = [];
        for (int number = 0; number < each.Length; number++)
        {
            WorkFrame loop = SnapshotBuilder.WorkFrame(Drain, $"{number}",
                0x1000 + (ulong)(each[number][0] - '0')) with { Rounds = [round(each[number])] };
            WorkFrame caller = SnapshotBuilder.WorkFrame(Run, "r") with { Outline = outer?.Invoke() ?? "r" };
            SnapshotBuilder builder = others(SnapshotBuilder.Linux()
                .Thread(2, Used("worker", 10 + number) with { Life = TimeSpan.FromSeconds(14) }, "System.String.Concat", Drain, Run))
                .Works(2, [loop, caller]);
            int before = each.Length - 1 - number;
            samples.Add((before > 0 ? builder.Earlier(TimeSpan.FromSeconds(before)) : builder).Build());
        }

        return Case.Of([.. samples]);
    }

    private static WorkRound Round(int place, string state) => new(new Address(0x900), place) { State = state };

    private static ThreadOptions Used(string name, double seconds)
        => new() { Name = name, Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = TimeSpan.FromSeconds(60) };
}
