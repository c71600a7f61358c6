using HangTriage.Facts;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

public sealed class TextReportTests
{
    [Theory]
    [InlineData("spinner")]
    [InlineData("deadlock")]
    [InlineData("not-hung")]
    [InlineData("inconclusive")]
    [InlineData("failed-rule")]
    [InlineData("flows")]
    [InlineData("hostile")]
    public void The_text_report_is_what_was_agreed(string name)
        => Assert.Null(Golden.Difference($"tests/Unit/Reports/golden/{name}.txt", Text(Goldens.Result(name))));

    [Fact]
    public void Whatever_the_dump_says_the_text_report_is_printable_ASCII()
        => Assert.All(SampleResults.All(), result => Assert.All(Text(result), letter => Assert.True(letter is '\n' or (>= ' ' and <= '~'))));

    [Fact]
    public void A_failed_rule_is_in_the_first_lines()
        => Assert.StartsWith("! 1 of 2 rules failed", Text(SampleResults.WithFailedRule()), StringComparison.Ordinal);

    [Fact]
    public void A_dump_of_a_crash_says_so_first_with_code_and_thread()
        => Assert.StartsWith("! CRASH: access violation (0xc0000005) in thread 114 (0x6710) \"OMP worker\". The input", Text(SampleResults.Crash()), StringComparison.Ordinal);

    [Fact]
    public void Sentences_are_wrapped_at_the_width_that_was_asked_for()
    {
        string narrow = Text(SampleResults.Spinner(), TextReportOptions.Default with { Width = 60 });
        int longestName = SampleResults.Spinner().Verdict.Signature.Text.Length;
        Assert.All(narrow.Split('\n'), line => Assert.True(line.Length <= 60 || line.TrimStart().IndexOf(' ', StringComparison.Ordinal) is -1 or 9, line));
        Assert.True(longestName > 60);
    }

    [Fact]
    public void The_thread_table_is_bounded_and_says_how_many_it_leaves_out()
    {
        string text = Text(SampleResults.Spinner(), TextReportOptions.Default with { MaxThreads = 2 });
        Assert.Contains("and 3 more", text, StringComparison.Ordinal);
        Assert.DoesNotContain("idle pool worker", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Threads_are_listed_by_CPU_time_and_those_of_unknown_time_last()
    {
        ProcessSnapshot facts = SnapshotBuilder.Linux()
            .Thread(0x1000, new ThreadOptions { Cpu = null }, "a!f")
            .Thread(0x1001, new ThreadOptions { Cpu = new(TimeSpan.Zero, TimeSpan.FromSeconds(1)) }, "b!f")
            .Thread(0x1002, new ThreadOptions { Cpu = new(TimeSpan.FromSeconds(2), TimeSpan.Zero) }, "c!f").Build();
        string text = Text(WithThreads(facts));
        int[] places = [.. new[] { "c!f", "b!f", "a!f" }.Select(frame => text.IndexOf(frame, StringComparison.Ordinal))];
        Assert.Equal(places.Order(), places);
        Assert.Contains("    ?", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_headline_of_the_verdict_is_marked_and_its_mark_is_not_escaped()
    {
        string text = Text(SampleResults.Hostile("\u001b[5m"), TextReportOptions.Default with { Emphasize = line => "\u001b[1m" + line + "\u001b[0m" });
        Assert.Single(text.Split('\n'), line => line.StartsWith("\u001b[1m== SPINNING OWNER, likely", StringComparison.Ordinal));
        Assert.DoesNotContain("\u001b[5m", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_stacks_that_the_verdict_speaks_of_are_shown_the_culprits_first()
    {
        string text = Text(SampleResults.Spinner(), TextReportOptions.Default with { MaxFrames = 3 });
        int culprit = text.IndexOf("Stack of thread 114 (0x6710) \"OMP worker\"\n  ntdll!NtYieldExecution+0x14\n", StringComparison.Ordinal);
        int waiter = text.IndexOf("Stack of thread 107 (0x11ac)\n", StringComparison.Ordinal);
        Assert.InRange(culprit, 0, waiter);
        Assert.Contains("  mkl_core+0x4711\n  and 2 more\n  (ends here: rest of the stack", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Stack of thread 115", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_finding_that_did_not_decide_is_not_lost()
    {
        TriageResult result = SampleResults.Spinner();
        Finding other = SampleResults.Deadlock().Findings[0];
        string text = Text(result with { Findings = [.. result.Findings, other] });
        Assert.Contains("Also found\n   1. HT1001 managed lock cycle (hang): 2 threads wait", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_finding_of_the_same_words_is_not_lost_either()
    {
        TriageResult result = SampleResults.Deadlock();
        Assert.DoesNotContain("Also found", Text(result), StringComparison.Ordinal);
        Assert.Contains("Also found", Text(result with { Findings = [result.Findings[0], result.Findings[0]] }), StringComparison.Ordinal);
    }

    [Fact]
    public void A_circle_is_drawn_back_to_its_beginning_and_a_chain_is_not()
    {
        Assert.Contains("where it began: a circle", Text(SampleResults.Deadlock()), StringComparison.Ordinal);
        Assert.DoesNotContain("where it began", Text(SampleResults.Spinner()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_frame_that_names_nothing_is_told_by_the_system_call()
    {
        ProcessSnapshot facts = SnapshotBuilder.Linux().Thread(0x1000, "libc+0x10").Thread(0x1001, "app!f").Build();
        Known<SystemCallFacts> poll = Known.Read(new SystemCallFacts(Known.Read(7u), Known.Derived("poll")));
        string text = Text(WithThreads(facts with { Threads = facts.Threads.Select<IReadOnlyList<ThreadFacts>>(threads => [.. threads.Select(thread => thread with { SystemCall = poll })]) }));

        Assert.Contains("  poll in libc+0x10", text, StringComparison.Ordinal);
        Assert.Contains("  app!f", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Many_threads_that_do_the_same_are_told_in_one_line_and_their_stack_once()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        foreach (uint id in Enumerable.Range(0x1000, 6).Select(id => (uint)id))
        {
            builder.Thread(id, new ThreadOptions { Name = id == 0x1005 ? "other" : "worker" }, "[InlinedCallFrame]", "App.Shop.Take()");
        }

        TriageResult crowd = WithThreads(builder.Build());
        Party[] victims = [.. crowd.Threads.Select(assessment => Party.OfThread(assessment.Thread.OsId, $"thread {assessment.Thread.OsId}"))];
        crowd = crowd with { Verdict = crowd.Verdict with { Victims = victims } };

        string text = Text(crowd);
        Assert.Contains("Who is kept waiting (6)\n   1. 5 threads \"worker\" (numbers 0, 1, 2, 3, 4)\n   2. thread 0x1005\n", text, StringComparison.Ordinal);
        Assert.Contains("Stack of 6 threads (numbers 0, 1, 2, 3, 4, 5)\n  App.Shop.Take()\n", text, StringComparison.Ordinal);
        Assert.Single(text.Split('\n'), line => line == "  App.Shop.Take()");
        Assert.Contains("\n  [InlinedCallFrame]\n  App.Shop.Take()\n", Text(crowd, TextReportOptions.Whole), StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_sure_answer_did_not_need_is_counted_and_listed_where_all_is_asked_for()
    {
        Assert.Contains("not missed for this verdict: 2 things (-v lists them)", Text(SampleResults.Deadlock()), StringComparison.Ordinal);
        Assert.Contains("Not in the input\n   1. start address (3)", Text(SampleResults.Deadlock(), TextReportOptions.Whole), StringComparison.Ordinal);
        Assert.Contains("Not in the input\n   1. ", Text(SampleResults.Inconclusive()), StringComparison.Ordinal);
    }

    private static TriageResult WithThreads(ProcessSnapshot facts) => SampleResults.NotHung() with
    {
        Case = Case.Of(facts),
        Threads = [.. facts.Threads.Value.Select(thread => new ThreadAssessment(thread, HangTriage.Rules.Threads.ThreadActivity.Unknown, Trust.Read, null))],
    };

    private static string Text(TriageResult result, TextReportOptions? options = null)
    {
        using StringWriter writer = new();
        TextReport.Write(result, writer, options);
        return writer.ToString();
    }
}
