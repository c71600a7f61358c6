using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.Support.Samples;

/// <summary>Compares what the tool says of a live sample with what its dump is judged as: the same, or surer, since it is looked at twice.</summary>
public static class LiveVerdict
{
    private const int Inconclusive = 2;

    // An instant can lie between two states, and who spins gets too little of a busy machine now and then: the tool says then that it does not know.
    private const int MostLooks = 3;

    private static readonly string[] s_confidences = ["Possible", "Likely", "Certain"];

    /// <summary>Looks until the tool knows, but not for ever.</summary>
    /// <param name="expected">What it is to say.</param>
    /// <param name="look">Runs the tool; it is told whether to look for longer, which is the advice of a tool that does not know.</param>
    public static ToolRun Look(ExpectedVerdict expected, Func<bool, ToolRun> look)
    {
        ToolRun run = look(false);
        for (int looks = 1; looks < MostLooks && run.ExitCode == Inconclusive && expected.ExitCode != Inconclusive; looks++)
        {
            run = look(true);
        }

        return run;
    }

    /// <summary>The differences, each a line; empty where the verdict is the same or surer.</summary>
    public static IReadOnlyList<string> Differences(ExpectedVerdict expected, ToolRun run)
        => expected.Confidence is not { } least ? ReportCheck.Differences(expected, run)
            : s_confidences.SkipWhile(confidence => confidence != least)
                .Select(confidence => ReportCheck.Differences(expected with { Confidence = confidence }, run))
                .MinBy(differences => differences.Count)!;
}
