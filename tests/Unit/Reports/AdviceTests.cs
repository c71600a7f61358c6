using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Tests.Unit.RulePages;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>Advice is for this finding: it speaks of nothing that the finding does not have.</summary>
public sealed class AdviceTests
{
    /// <summary>Words of an advice, and those of which the finding has to have one.</summary>
    private static readonly (string Advice, string[] Finding)[] s_needs =
    [
        ("Hold no lock", ["lock", "Lock", "monitor", "semaphore", "critical section", "GC.WaitForPendingFinalizers", "the call sent to", "is run by", "holds"]),
        ("these locks", ["lock", "Lock", "monitor", "emaphore", "mutex", "section"]),
        ("same locks again", ["lock", "Lock", "monitor", "emaphore", "mutex", "section"]),
        ("async lock", ["SemaphoreSlim"]),
        ("SemaphoreSlim", ["SemaphoreSlim", "semaphore"]),
        ("WaitAsync", ["SemaphoreSlim", "Semaphore", "task", "wait"]),
        ("handler", ["is blocked in", "handler", "callback of", "keeps it", "ui", "window", "user interface"]),
        ("DllMain", ["loader", "DllMain", "ends the process"]),
        ("window", ["window", "message", "COM", "RPC", "call"]),
        ("user interface", ["user interface", "thread of", "window", "UI", "ui"]),
        ("child", ["child"]),
        ("ThreadPool", ["pool"]),
        ("finalizer", ["finaliz"]),
        ("CancellationToken", ["wait"]),
        ("collection", ["Dictionary", "HashSet", "collection", "Table"]),
        ("connection", ["connection", "answer", "data", "127.0.0.1", "10.", "from", "for"]),
    ];

    private static readonly string[] s_verbs =
    [
        "Await", "Call", "Dispose", "Do", "End", "Expect", "Find", "Give", "Guard", "Hold", "Leave", "Let", "Look", "Make", "Never", "Pass", "Post", "Raise", "Read", "Record", "Release", "Return", "Say", "Send",
        "Start", "Stop", "Take", "Touch", "Use", "Wait", "Compute",
    ];

    private static IEnumerable<(string Where, TriageResult Result)> Cases
        => RulePage.Ids.SelectMany(id => RulePage.Read(id).Examples.Select((example, index) => ($"{id}, example {index}", Triage.Judge(example.BuildCase()))))
            .Concat(StoredSamples.Names.Select(name => (name, StoredSamples.Result(name))));

    [Fact]
    public void No_advice_speaks_of_what_the_finding_has_not()
        => None(Cases.SelectMany(pair => pair.Result.Findings.Select(finding => (pair.Where, Says: Says(finding), Advice: finding.Advice.Select(advice => advice.Text)))
                .Append((pair.Where, Says: Says(pair.Result.Verdict), Advice: new[] { Stopgap.Of(pair.Result.Verdict) }.OfType<string>())))
            .SelectMany(item => item.Advice.SelectMany(advice => s_needs
                .Where(need => advice.Contains(need.Advice, StringComparison.Ordinal) && !need.Finding.Any(word => item.Says.Contains(word, StringComparison.Ordinal)))
                .Select(need => $"{item.Where}: \"{need.Advice}\" in \"{advice}\", of: {item.Says}")))
            .Distinct());

    [Fact]
    public void Every_advice_of_a_hang_is_a_sentence_that_begins_with_what_to_do()
        => None(Cases.SelectMany(pair => pair.Result.Findings.SelectMany(finding => finding.Advice.Select(advice => (pair.Where, advice.Text))))
            .Where(item => !s_verbs.Contains(item.Text.Split(' ')[0]) || !item.Text.EndsWith('.') || item.Text.Length > 260)
            .Select(item => $"{item.Where}: {item.Text}")
            .Distinct());

    [Fact]
    public void Every_hang_has_an_advice()
        => None(Cases.Where(pair => pair.Result.Verdict.Kind is not (HangTriage.Rules.Policy.VerdictKind.NotHung or HangTriage.Rules.Policy.VerdictKind.BusyNotHung) && pair.Result.Verdict.Advice.Count == 0)
            .Select(pair => pair.Where));

    private static void None(IEnumerable<string> wrong)
    {
        string[] all = [.. wrong];
        Assert.True(all.Length == 0, string.Join('\n', all));
    }

    private static string Says(Finding finding) => Says(finding.Title, finding.Culprit, finding.Chain, finding.Evidence);

    private static string Says(Verdict verdict) => Says(verdict.Title, verdict.Culprit, verdict.Chain, verdict.Evidence);

    private static string Says(Claim title, Party? culprit, IReadOnlyList<ChainLink> chain, IReadOnlyList<Evidence> evidence)
        => string.Join(
            " | ",
            new[] { title.Text, culprit?.Label.Text, culprit?.Role?.Text }.OfType<string>()
                .Concat(chain.Select(link => $"{link.From} {link.Edge} {link.To}"))
                .Concat(evidence.Select(item => item.Claim.Text)));
}
