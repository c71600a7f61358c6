using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Graph;
using HangTriage.Reports.Requests;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Reports.Incident;

/// <summary>The report for a ticket: the answer on the first screen, what it rests on below, and folded behind it all the rest.</summary>
internal sealed class IncidentReport(TriageResult result, IPage page, IncidentOptions options)
{
    private readonly Verdict _verdict = result.Verdict;

    public void Write()
    {
        bool hasStacks = !result.Case.IsTraceAlone;
        string program = result.Snapshot.Target.ProcessName.HasValue ? TargetText.Process(result.Snapshot.Target) : "a process";
        page.Title($"{Words.Of(_verdict.Kind)}: {program}");
        WriteFailedRules();
        if (CrashText.Of(result) is { } crash)
        {
            page.Paragraph("Crash", crash);
        }

        page.Paragraph(_verdict.Title);
        page.Box(
        [
            .. Row(_verdict.Confidence is null ? "Why" : "Sure?", Words.WithReason(_verdict)),
            .. Row("Rule", _verdict.Rule is { } rule ? $"{rule.Id} {rule.Name}; signature {_verdict.Signature.Hash}" : null),
            .. Row("Since", AgeText.Since(_verdict.Since)),
            .. Row("Test", TargetText.Tests(result)),
            .. Row("Captured", TargetText.CapturedAt(result.Snapshot.Target)),
        ]);
        WriteAnswer();
        WriteWaits();
        WriteGroups(hasStacks);
        WriteBasis();
        WriteUnseen();
        new IncidentDetails(result, page, options).Write();

        page.End();
    }

    private static IEnumerable<(string Name, Claim Value)> Row(string name, string? value) => value is null ? [] : [(name, (Claim)value)];

    private void WriteFailedRules()
    {
        if (result.HasFailedRule)
        {
            page.Paragraph("Not everything was looked at", RulesText.FailureHeadline(result) + ".");
            page.List([.. RulesText.Failed(result).Select(report => (Claim)$"{report.Rule.Id} {report.Rule.Name}: {report.Outcome.Why}")], isNumbered: false);
        }
    }

    private void WriteAnswer()
    {
        Claim[] impact = [.. RequestText.Impact(result) is { } requests ? [requests] : Array.Empty<Claim>(), .. IncidentImpact.Of(result)];
        if (impact.Length > 0)
        {
            page.Paragraph("Impact", Claim.Join("; ", Some(impact)));
        }

        if (_verdict.Culprit is { } culprit)
        {
            ThreadFacts? thread = result.Threads.FirstOrDefault(assessment => assessment.Thread.OsId == culprit.Thread)?.Thread;
            Claim cpu = thread is not null && CpuText.Noteworthy(thread.Cpu) is { } time ? $", CPU {time}" : Claim.Empty;
            Claim role = culprit.Role is { } does ? $": {does}" : Claim.Empty;
            page.Paragraph("Cause", $"{culprit}{cpu}{role}");
        }

        if (Stopgap.Of(_verdict) is { } stopgap)
        {
            page.Paragraph("Do now", stopgap);
        }

        switch (_verdict.Advice)
        {
            case []:
                break;
            case [Claim only]:
                page.Paragraph(_verdict.Kind.IsHang() ? "Fix" : "Next", only);
                break;
            default:
                page.Paragraph(_verdict.Kind.IsHang() ? "Fix" : "Next", string.Empty);
                page.List(Some(_verdict.Advice), isNumbered: true);
                break;
        }
    }

    private void WriteWaits()
    {
        if (WaitPictureBuilder.Of(result) is not { } picture)
        {
            return;
        }

        page.Heading("Who waits for whom");
        page.Graph(picture);
        if (picture.Omitted is { } omitted)
        {
            page.Paragraph($"Not drawn: {omitted}.");
        }

        if (_verdict.Chain.Count > 0)
        {
            page.List(Some([.. _verdict.Chain.Select(link => (Claim)$"{link.From} {link.Edge} {link.To}")]), isNumbered: true);
            if (Chains.IsCycle(_verdict.Chain))
            {
                page.Paragraph("The last step leads back to the first: a circle.");
            }
        }
    }

    private void WriteGroups(bool hasStacks)
    {
        IReadOnlyList<IReadOnlyList<Claim>> rows = hasStacks ? IncidentGroups.Of(result) : [];
        if (rows.Count > 0)
        {
            page.Heading("What the process does");
            page.Table(IncidentGroups.Heads, [.. rows.Take(options.MaxItems)]);
            if (rows.Count > options.MaxItems)
            {
                page.Paragraph($"And {Count.Of(rows.Count - options.MaxItems, "group")} more.");
            }
        }
    }

    private void WriteBasis()
    {
        Section("Why we think so", [.. _verdict.Evidence.Select(Describe)], isNumbered: true);
        Section("What speaks against it", [.. _verdict.Contradictions.Select(Describe)], isNumbered: true);
        bool hasAnswer = _verdict.Kind.IsHang();
        Section(
            hasAnswer ? "Other waits whose end is unknown" : "Suspects: waits whose end is unknown",
            [.. _verdict.Suspects.Where(suspect => !hasAnswer || suspect.Matters).Select(suspect => suspect.Title)],
            isNumbered: true);
        Section("Also found", [.. OtherFindings.Of(result).Select(finding => OtherFindings.Describe(finding, _verdict))], isNumbered: false);
    }

    private void WriteUnseen()
    {
        Claim[] missed = [.. Unseen.Of(result).Select(group => (Claim)group.ToText(options.MaxItems))];
        IReadOnlyList<(string What, string Command)> commands = NextTime.Of(result);
        Section("What could not be seen", missed, isNumbered: false);
        if (commands.Count == 0)
        {
            return;
        }

        if (missed.Length == 0)
        {
            page.Heading("What could not be seen");
        }

        foreach ((string what, string command) in commands)
        {
            page.Paragraph("Next time", $"{what}:");
            page.Code([command]);
        }
    }

    private void Section(string heading, IReadOnlyList<Claim> items, bool isNumbered)
    {
        if (items.Count > 0)
        {
            page.Heading(heading);
            page.List(Some(items), isNumbered);
        }
    }

    private IReadOnlyList<Claim> Some(IReadOnlyList<Claim> items)
        => items.Count <= options.MaxItems ? items : [.. items.Take(options.MaxItems), (Claim)$"and {items.Count - options.MaxItems} more"];

    private static Claim Describe(Evidence item) => $"{item.Claim} ({EvidenceText.Basis(item)})";
}
