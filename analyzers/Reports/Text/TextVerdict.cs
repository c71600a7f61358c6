using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports.Requests;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Reports.Text;

/// <summary>The first screen: what a tired person needs, who is at fault, what to do, how sure that is, and who waits for whom.</summary>
internal sealed class TextVerdict(TriageResult result, TextLists lists, TextLines lines, TextReportOptions options)
{
    private const int Hanging = 4;
    private const string Below = "              ";

    private readonly Verdict _verdict = result.Verdict;

    public void Write()
    {
        string sure = _verdict.Confidence is { } confidence ? $", {Words.Of(confidence)}" : string.Empty;
        TargetFacts target = result.Snapshot.Target;
        string process = target.ProcessName.HasValue ? $": {Printable.Ascii(TargetText.Process(target))}" : string.Empty;
        string headline = $"== {Words.Of(_verdict.Kind).ToUpperInvariant()}{sure}{process} ";
        lines.Line(headline.PadRight(lines.Width, '='), options.Emphasize);
        lines.Wrapped(string.Empty, _verdict.Title);
        lines.Blank();
        if (TargetText.Tests(result) is { } tests)
        {
            lines.Wrapped("  Test        ", tests);
        }

        if (AgeText.Since(_verdict.Since) is { } since)
        {
            lines.Wrapped("  Since       ", since);
        }

        if (RequestText.Impact(result) is { } impact)
        {
            lines.Wrapped("  Impact      ", impact);
        }

        WriteCulprit();
        WriteAdvice();
        if (Stopgap.Of(_verdict) is { } stopgap)
        {
            lines.Wrapped("  Stopgap     ", stopgap);
        }

        lines.Wrapped(_verdict.Confidence is null ? "  Why         " : "  Sure?       ", Words.WithReason(_verdict));
        if (_verdict.Rule is { } rule)
        {
            lines.Wrapped("  Rule        ", $"{rule.Id} {rule.Name}; signature {_verdict.Signature.Hash}");
        }

        lists.Write("Suspects: waits whose end is unknown", Shown, suspect => suspect.Title);
        WriteChain();
        if (!_verdict.Victims.All(victim => victim.Role is null && _verdict.Culprit is { } culprit && Chains.Same(victim, culprit) && Crowds.CountOf(victim, result) == 1))
        {
            IReadOnlyList<Claim> waiting = Crowds.Of(_verdict.Victims, result, options.MaxItems);
            lists.Write(string.Create(CultureInfo.InvariantCulture, $"Who is kept waiting ({_verdict.Victims.Sum(victim => Crowds.CountOf(victim, result))})"), waiting, claim => claim);
        }
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
        string cpu = thread is not null && CpuText.Noteworthy(thread.Cpu) is { } time ? ", CPU " + time : string.Empty;
        lines.Wrapped("  Culprit     ", $"{culprit}{managed}{cpu}");
        if (culprit.Role is { } role)
        {
            lines.Wrapped(Below, role);
        }
    }

    private void WriteAdvice()
    {
        bool isOne = _verdict.Advice.Count == 1;
        foreach ((int index, Claim advice) in _verdict.Advice.Select((advice, index) => (index, advice)))
        {
            string label = index > 0 ? Below : _verdict.Kind.IsHang() ? "  Fix         " : "  Next        ";
            lines.Wrapped(isOne ? label : string.Create(CultureInfo.InvariantCulture, $"{label}{index + 1}. "), advice);
        }
    }

    private void WriteChain()
    {
        if (_verdict.Chain.Count == 0)
        {
            return;
        }

        lists.Heading("Who waits for whom");
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

        lists.More(_verdict.Chain.Count - last);
    }

    /// <summary>What the culprit does already stands above.</summary>
    private Claim InChain(Party party)
        => _verdict.Culprit is { } culprit && Chains.Same(party, culprit) ? $"{party}: the culprit" : Describe(party);

    private static Claim Describe(Party party) => party.Role is { } role ? $"{party}: {role}" : party.Label;
}
