using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports.Markdown;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Markdown;

/// <summary>The incident report: Markdown for a ticket. Nothing that the target says can become markup; lines end in LF.</summary>
public static class MarkdownReport
{
    public static void Write(TriageResult result, TextWriter output, MarkdownReportOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        options ??= MarkdownReportOptions.Default;
        MarkdownLines lines = new(output, options.MaxItems);
        Verdict verdict = result.Verdict;

        lines.Heading(1, $"{Words.Of(verdict.Kind)}: {TargetText.Process(result.Snapshot.Target)}");
        WriteFailedRules(result, lines);
        lines.Table(
            ("Verdict", Words.Of(verdict.Kind)),
            (verdict.Confidence is null ? "Why" : "Confidence", Words.WithReason(verdict)),
            ("Culprit", verdict.Culprit?.Label.Text),
            ("Culprit's CPU time", Culprit(result) is { } culprit ? CpuText.Detail(culprit.Cpu) : null),
            ("Rule", verdict.Rule is { } rule ? $"{rule.Id} {rule.Name}" : null),
            ("Captured", TargetText.CapturedAt(result.Snapshot.Target)));

        lines.Heading(2, "What happened");
        lines.Paragraph(verdict.Title.Text);
        if (verdict.Culprit is { Role: { } role } party)
        {
            lines.Paragraph($"{party.Label}: {role}");
        }

        Section(lines, "What to do", verdict.Advice, advice => advice.Text, isNumbered: true);
        Section(lines, "Suspects: waits whose end is unknown", verdict.Suspects, suspect => suspect.Title.Text, isNumbered: true);
        WriteChain(verdict, lines);
        Section(lines, "Who is kept waiting", Crowds.Of(verdict.Victims, result, options.MaxItems), crowd => crowd.Text);
        Section(lines, "Evidence", verdict.Evidence, Describe, isNumbered: true);
        Section(lines, "What speaks against it", verdict.Contradictions, Describe, isNumbered: true);
        Section(lines, "What could not be seen", Unseen.Of(result), group => group.ToText(options.MaxItems));
        Section(lines, "Also found", OtherFindings.Of(result), finding => OtherFindings.Describe(finding).Text);
        WriteFlows(result, lines);
        new MarkdownStacks(result, lines, options).Write();
        Section(lines, "Not in the input", Unseen.Others(result), group => group.ToText(options.MaxItems));
        WriteEnvironment(result, lines);
    }

    private static void WriteFailedRules(TriageResult result, MarkdownLines lines)
    {
        if (result.HasFailedRule)
        {
            lines.Paragraph("Not everything was looked at", RulesText.FailureHeadline(result) + ".");
            lines.List(RulesText.Failed(result), report => $"{report.Rule.Id} {report.Rule.Name}: {report.Outcome.Why}");
        }
    }

    private static void WriteChain(Verdict verdict, MarkdownLines lines)
    {
        IReadOnlyList<ChainLink> chain = verdict.Chain;
        Section(lines, "Who waits for whom", chain, link => $"{Describe(link.From)} {link.Edge} {link.To.Label}", isNumbered: true);
        if (Chains.IsCycle(chain))
        {
            lines.Paragraph("The last step leads back to the first: a circle.");
        }
        else if (chain is [.., { To: { Role: { } } end }] && verdict.Culprit is { } culprit && !Chains.Same(end, culprit))
        {
            lines.Paragraph($"At its end: {Describe(end)}.");
        }
    }

    private static void WriteFlows(TriageResult result, MarkdownLines lines)
    {
        IReadOnlyList<FlowGroup> shown = ShownFlows.Of(result.Snapshot);
        Section(lines, "Suspended async methods", shown, group => string.Join("; awaited by ", new[] { FlowText.Of(group), FlowText.AwaitedBy(group) }.OfType<string>()));
        if (ShownFlows.Rest(result.Snapshot, shown, int.MaxValue) is { } rest)
        {
            lines.Paragraph($"And {rest}.");
        }
    }

    private static void WriteEnvironment(TriageResult result, MarkdownLines lines)
    {
        TargetFacts target = result.Snapshot.Target;
        lines.Heading(2, "Environment");
        lines.Table(
            ("Process", TargetText.Process(target)),
            ("System", TargetText.Machine(target)),
            (".NET", TargetText.Runtimes(target)),
            ("Input", Words.Of(target.Kind)),
            ("Process started", TargetText.StartedAt(target)),
            ("Captured", TargetText.CapturedAt(target)),
            ("Samples", TargetText.Samples(result.Case)),
            ("Trace", TargetText.Trace(result.Case)),
            ("Pause", TargetText.StoodStill(result.Case)),
            ("Threads", result.Snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads)
                ? threads.Count.ToString(CultureInfo.InvariantCulture)
                : null),
            ("Rules", RulesText.Outcomes(result.Rules)),
            ("Signature", result.Verdict.Signature));
    }

    private static void Section<T>(MarkdownLines lines, string heading, IReadOnlyList<T> items, Func<T, string> text, bool isNumbered = false)
    {
        if (items.Count > 0)
        {
            lines.Heading(2, heading);
            lines.List(items, text, isNumbered);
        }
    }

    private static ThreadFacts? Culprit(TriageResult result)
        => result.Threads.FirstOrDefault(assessment => assessment.Thread.OsId == result.Verdict.Culprit?.Thread)?.Thread;

    private static string Describe(Party party) => party.Role is { } role ? $"{party.Label} ({role})" : party.Label.Text;

    private static string Describe(Evidence item)
        => $"{item.Claim} ({Words.Of(item.Trust)}: {item.Source}{(item.Frame is { } frame ? $", {frame}" : string.Empty)}"
            + $"{(item.Address is { } address ? $", at {address}" : string.Empty)})";
}
