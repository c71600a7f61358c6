using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

public sealed class NextTimeTests
{
    [Fact]
    public void A_sure_verdict_of_a_dump_that_has_all_asks_for_nothing() => Assert.Empty(NextTime.Of(SampleResults.Deadlock()));

    [Fact]
    public void A_verdict_that_could_be_surer_asks_for_a_second_dump_and_not_for_a_fuller_one()
        => Assert.Equal(["triage analyze second.dmp --earlier first.dmp"], NextTime.Of(SampleResults.Spinner()).Select(next => next.Command));

    [Fact]
    public void A_verdict_of_several_captures_does_not_ask_for_one_more()
    {
        TriageResult spinner = SampleResults.Spinner();
        Assert.Empty(NextTime.Of(spinner with { Case = Case.Of([spinner.Snapshot, spinner.Snapshot]) }));
    }

    [Fact]
    public void A_core_without_heap_and_times_asks_for_both_by_the_id_of_the_process()
    {
        TriageResult deadlock = SampleResults.Deadlock();
        ProcessSnapshot core = SnapshotBuilder.Linux().Pid(77).Thread(0x1000, new ThreadOptions { Cpu = null }, "App.Main").Lock(SnapshotBuilder.Monitor(0x1000), 0x1000).Build();
        core = core with { Managed = core.Managed!.Select(facts => facts with { Locks = Known.Unknown<IReadOnlyList<LockFacts>>("locks", "the heap is not in the input") }) };

        Assert.Equal(
            ["dotnet-dump collect --type Full -p 77", "triage attach 77"],
            NextTime.Of(deadlock with { Case = Case.Of(core) }).Select(next => next.Command));
    }

    [Theory]
    [InlineData(VerdictKind.Deadlock, true)]
    [InlineData(VerdictKind.Starvation, true)]
    [InlineData(VerdictKind.BlockedOnExternal, false)]
    [InlineData(VerdictKind.SlowWait, false)]
    [InlineData(VerdictKind.NotHung, false)]
    [InlineData(VerdictKind.Inconclusive, false)]
    public void A_restart_is_named_where_it_helps(VerdictKind kind, bool helps)
    {
        Verdict verdict = SampleResults.Deadlock().Verdict with { Kind = kind };
        Assert.Equal(helps, Stopgap.Of(verdict) is not null);
        Assert.Null(Stopgap.Of(verdict with { Confidence = Confidence.Possible }));
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("3", "3")]
    [InlineData("4 3", "3, 4")]
    [InlineData("7 9 10 11 12 13 7", "7, 9-13")]
    [InlineData("1 3 5 7 8 9", "1, 3, 5 and 3 more")]
    public void Numbers_are_written_as_ranges_and_what_is_too_much_is_counted(string numbers, string text)
        => Assert.Equal(text, NumberRanges.Of(numbers.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(int.Parse), most: 3));

    [Theory]
    [InlineData("monitor of App.Account (", ")", "monitor of App.Account")]
    [InlineData("", "", "")]
    [InlineData("task ", " of App", "task  of App")]
    public void A_label_is_plain_without_its_address(string before, string behind, string text)
    {
        HangTriage.Rules.Claims.Claim address = HangTriage.Rules.Claims.Claim.Of(new HangTriage.Rules.Claims.ClaimPart("0x1000") { Task = new Address(0x1000) });
        Assert.Equal(text, PlainLabel.Of($"{before}{address}{behind}"));
    }
}
