using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Observing;

namespace HangTriage.Reports.Text;

/// <summary>The report that a person reads in a terminal or a debugger: printable ASCII only, lines end in LF.</summary>
public static class TextReport
{
    public static void Write(TriageResult result, TextWriter output, TextReportOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        options ??= TextReportOptions.Default;
        TextLines lines = new(output, options.Width, options.Markup);

        if (CrashText.Of(result) is { } crash)
        {
            lines.Wrapped("! CRASH: ", crash);
            lines.Blank();
        }

        WriteFailedRules(result, lines);
        TextLists lists = new(lines, options.MaxItems);
        new TextVerdict(result, lists, lines, options).Write();
        bool hasStacks = !result.Case.IsTraceAlone;
        if (hasStacks)
        {
            new TextStacks(result, lines, options).Write();
        }

        new TextBasis(result, lists, lines, options).Write();
        if (hasStacks)
        {
            new TextFlows(result, lines, options).Write();
            new TextThreads(result, lines, options).Write();
        }

        lines.Blank();
        WriteTarget(result, lines);
        lines.Wrapped("Rules   ", RulesText.Outcomes(result.Rules, options.IsWhole));
        if (options.IsWhole)
        {
            lines.Wrapped("Signature ", $"{result.Verdict.Signature.Hash}: {result.Verdict.Signature.Text}");
        }
    }

    private static void WriteFailedRules(TriageResult result, TextLines lines)
    {
        if (!result.HasFailedRule)
        {
            return;
        }

        lines.Wrapped("! ", RulesText.FailureHeadline(result) + ":");
        foreach (RuleReport report in RulesText.Failed(result))
        {
            lines.Wrapped("!   ", $"{report.Rule.Id} {report.Rule.Name}: {report.Outcome.Why}");
        }

        lines.Blank();
    }

    private static void WriteTarget(TriageResult result, TextLines lines)
    {
        string?[] parts =
        [
            TargetText.Process(result.Snapshot.Target),
            Words.Of(result.Snapshot.Target.Kind),
            TargetText.Machine(result.Snapshot.Target),
            TargetText.Runtimes(result.Snapshot.Target),
            TargetText.CapturedAt(result.Snapshot.Target) is { } instant ? $"captured {instant}" : null,
            TargetText.StoodStill(result.Case),
        ];
        lines.Wrapped("Target  ", string.Join("; ", parts.OfType<string>()));
        if (TargetText.Samples(result.Case) is { } samples)
        {
            lines.Wrapped("Samples ", samples);
        }

        if (TargetText.Trace(result.Case) is { } trace)
        {
            lines.Wrapped("Trace   ", trace);
        }
    }
}
