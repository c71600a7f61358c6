using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Reports.Text;

/// <summary>The verdict: what a tired person needs, and all that it rests on.</summary>
internal sealed class TextVerdict(TriageResult result, TextLines lines, TextReportOptions options)
{
    private const int Hanging = 4;

    private readonly Verdict _verdict = result.Verdict;

    public void Write()
    {
        string sure = _verdict.Confidence is { } confidence ? $", {Words.Of(confidence)}" : string.Empty;
        string headline = $"== {Words.Of(_verdict.Kind).ToUpperInvariant()}{sure} ";
        lines.Line(headline.PadRight(lines.Width, '='), options.Emphasize);
        lines.Wrapped(string.Empty, _verdict.Title);
        lines.Blank();
        lines.Wrapped(_verdict.Confidence is null ? "  Why         " : "  Confidence  ", Words.WithReason(_verdict));
        WriteCulprit();
        if (_verdict.Rule is { } rule)
        {
            lines.Wrapped("  Rule        ", $"{rule.Id} {rule.Name}");
        }

        lines.Wrapped("  Signature   ", _verdict.Signature);
        WriteList("Suspects: waits whose end is unknown", Shown, suspect => suspect.Title);
        WriteChain();
        WriteParties("Who is kept waiting", _verdict.Victims);
        WriteEvidence("Evidence", _verdict.Evidence);
        WriteEvidence("What speaks against it", _verdict.Contradictions);
        WriteGaps();
        WriteList("What to do", _verdict.Advice, advice => advice);
        WriteList("Also found", OtherFindings.Of(result), finding => $"{finding.Rule.Id} {finding.Rule.Name} ({Words.Of(finding.Severity)}): {finding.Title}");
    }

    // A verdict of a hang has its answer; what else waits is behind it.
    private IReadOnlyList<Suspect> Shown => _verdict.Kind.IsHang() ? [] : _verdict.Suspects;

    private void WriteCulprit()
    {
        if (_verdict.Culprit is not { } culprit)
        {
            return;
        }

        ThreadFacts? thread = result.Threads.FirstOrDefault(assessment => assessment.Thread.OsId == culprit.Thread)?.Thread;
        string managed = thread?.ManagedId is { } id ? string.Create(CultureInfo.InvariantCulture, $", managed thread {id}") : string.Empty;
        string cpu = thread is not null && CpuText.Detail(thread.Cpu) is { } time ? ", CPU " + time : string.Empty;
        lines.Wrapped("  Culprit     ", $"{culprit}{managed}{cpu}");
        if (culprit.Role is { } role)
        {
            lines.Wrapped("              ", role);
        }
    }

    private void WriteChain()
    {
        if (_verdict.Chain.Count == 0)
        {
            return;
        }

        Heading("Who waits for whom");
        int last = Math.Min(_verdict.Chain.Count, options.MaxItems);
        bool isCycle = Chains.IsCycle(_verdict.Chain);
        for (int i = 0; i < last; i++)
        {
            ChainLink link = _verdict.Chain[i];
            if (Chains.Breaks(_verdict.Chain, i))
            {
                lines.Wrapped("  ", InChain(link.From), Hanging);
            }

            bool closes = isCycle && i == _verdict.Chain.Count - 1;
            lines.Wrapped("    |  ", link.Edge);
            lines.Line("    v");
            lines.Wrapped("  ", closes ? $"{link.To}, where it began: a circle" : InChain(link.To), Hanging);
        }

        More(_verdict.Chain.Count - last);
    }

    private void WriteParties(string heading, IReadOnlyList<Party> parties)
        => WriteList(string.Create(CultureInfo.InvariantCulture, $"{heading} ({parties.Count})"), parties, Describe);

    private void WriteEvidence(string heading, IReadOnlyList<Evidence> evidence)
        => WriteList(heading, evidence, item => $"{item.Claim} [{Words.Of(item.Trust)}: {item.Source}{Where(item)}]");

    private void WriteGaps()
    {
        WriteList("What could not be seen", Unseen.Of(result), group => group.ToText(options.MaxItems));
        WriteList("Not in the input", Unseen.Others(result), group => group.ToText(options.MaxItems));
    }

    private void WriteList<T>(string heading, IReadOnlyList<T> items, Func<T, Claim> text)
    {
        if (items.Count == 0)
        {
            return;
        }

        Heading(heading);
        foreach ((int number, T item) in items.Take(options.MaxItems).Select((item, index) => (index + 1, item)))
        {
            lines.Wrapped(string.Create(CultureInfo.InvariantCulture, $"{number,4}. "), text(item));
        }

        More(items.Count - options.MaxItems);
    }

    private void Heading(string heading)
    {
        lines.Blank();
        lines.Line(heading);
    }

    private void More(int count)
    {
        if (count > 0)
        {
            lines.Line(string.Create(CultureInfo.InvariantCulture, $"      and {count} more"));
        }
    }

    /// <summary>What the culprit does already stands above.</summary>
    private Claim InChain(Party party)
        => _verdict.Culprit is { } culprit && Chains.Same(party, culprit) ? $"{party}: the culprit" : Describe(party);

    private static Claim Describe(Party party) => party.Role is { } role ? $"{party}: {role}" : party.Label;

    private static Claim Where(Evidence item)
    {
        Claim frame = item.Frame is { } shown ? $", {shown}" : Claim.Empty;
        return item.Address is { } address ? $"{frame}, at {address}" : frame;
    }
}
