using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Samples;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Lab;

/// <summary>Samples that are looked at while they hang, by the tool as a Windows program.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class LiveTests
{
    // Under Wine a call on another process takes a hundred times as long, and tests run beside each other.
    private const string Patience = "2s";
    private const int LeastShare = 25;

    private static readonly TimeSpan s_enough = TimeSpan.FromMinutes(2);

    public static TheoryData<string> Samples { get; } = [.. LiveSamples.OfThisRun];

    [Theory]
    [MemberData(nameof(Samples))]
    public void A_live_sample_is_judged_as_its_dump_is_or_surer(string sample)
    {
        ExpectedVerdict expected = LiveSamples.VerdictOf(sample);
        using LiveWindowsProgram program = LiveWindowsProgram.Start(sample);

        // A loop that gets little of a busy machine is none that can be told.
        TriageProcesses.Hurry($"{sample}.exe");

        ToolRun run = LiveVerdict.Look(expected, longer => Look(program, longer));

        Assert.Empty(LiveVerdict.Differences(expected, run));
        Assert.Contains("\"kind\": \"liveProcess\"", run.Out, StringComparison.Ordinal);
        Assert.Contains("\"stoodStill\"", run.Out, StringComparison.Ordinal);
        Assert.Contains("\"captures\"", run.Out, StringComparison.Ordinal);
        Assert.Equal(0, program.SuspendCounts().Highest);
    }

    [Fact]
    public void Facts_and_the_incident_report_of_a_live_process_are_written_as_of_a_dump()
    {
        using LiveWindowsProgram program = LiveWindowsProgram.Start("OrphanedSection");
        using TemporaryFolder folder = new();

        ToolRun capture = WindowsLab.Triage("capture", program.IdText, "-o", WindowsLab.WindowsPath(folder["live.facts.json"]), "--samples", "1", "--pause", Patience);
        ToolRun report = WindowsLab.Triage("report", program.IdText, "-o", WindowsLab.WindowsPath(folder["incident.md"]), "--samples", "1", "--pause", Patience);

        Assert.Equal((0, 1), (capture.ExitCode, report.ExitCode));
        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of("OrphanedSection"), Tool.Run("analyze", folder["live.facts.json"], "--format", "json")));
        Assert.Contains("stood still", File.ReadAllText(folder["incident.md"]), StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_is_found_by_its_name_and_listed_where_several_have_it()
    {
        using LiveWindowsProgram one = LiveWindowsProgram.Start("SleepingOwner");
        ToolRun only = WindowsLab.Triage("SleepingOwner.exe", "--samples", "1", "--pause", Patience, "--format", "json");
        using LiveWindowsProgram other = LiveWindowsProgram.Start("SleepingOwner");

        ToolRun both = WindowsLab.Triage("attach", "sleepingowner");

        Assert.Contains("\"kind\": \"liveProcess\"", only.Out, StringComparison.Ordinal);
        Assert.Equal(64, both.ExitCode);
        Assert.Contains("2 processes are called sleepingowner; say which by its id", both.Error, StringComparison.Ordinal);
        Assert.Contains($" {one.IdText} ", both.Error, StringComparison.Ordinal);
        Assert.Contains($" {other.IdText} ", both.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_that_is_not_there_is_65_and_one_line()
    {
        ToolRun run = WindowsLab.Triage("attach", "999996");

        Assert.Equal((65, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains("there is no process 999996", run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd().Split('\n'));
    }

    // A machine that is busy gives the loop less than a processor, and nothing else of the program uses any.
    [Fact]
    public void A_thread_that_spins_shows_in_the_list_of_processes()
    {
        using LiveWindowsProgram program = LiveWindowsProgram.Start("LivePrograms", "spinner", "20");
        TriageProcesses.Hurry("LivePrograms.exe");
        TreeActivity loop = new(() => TriageProcesses.OfProgram("LivePrograms.exe"));
        int share = 0;
        string[] words = [];

        // A look at a moment at which others have the processors shows less; the loop itself says how much time it had to be seen.
        while (share < LeastShare && loop.Used < s_enough)
        {
            ToolRun run = WindowsLab.Triage("ps", "--interval", "2s");
            words = run.Out.Split('\n').Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)).FirstOrDefault(line => line is [{ } pid, ..] && pid == program.IdText) ?? words;
            share = words.Length == 0 ? 0 : int.Parse(words[3].TrimEnd('%'), System.Globalization.CultureInfo.InvariantCulture);
            _ = loop.Look();
        }

        Assert.InRange(share, LeastShare, 110);
        Assert.Equal("LivePrograms.exe", words[5]);
        Assert.True(share < 90 || words.Contains("(spinner)"), string.Join(" ", words));
    }

    private static ToolRun Look(LiveWindowsProgram program, bool longer)
        => WindowsLab.Triage("attach", program.IdText, "--samples", longer ? "5" : "2", "--interval", longer ? "2s" : "500ms", "--pause", Patience, "--format", "json");
}
