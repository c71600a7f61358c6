using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

internal static class Involved
{
    /// <summary>The threads that play a part in the verdict, each once: the culprit, those of the chain, the victims.</summary>
    public static IReadOnlyList<ThreadFacts> Threads(TriageResult result)
    {
        ILookup<ThreadId, ThreadFacts> byId = result.Threads.ToLookup(assessment => assessment.Thread.OsId, assessment => assessment.Thread);
        Verdict verdict = result.Verdict;
        return
        [
            .. verdict.Chain.SelectMany(link => new[] { link.From, link.To })
                .Concat(verdict.Victims)
                .Prepend(verdict.Culprit)
                .Select(party => party?.Thread)
                .OfType<ThreadId>()
                .Distinct()
                .SelectMany(id => byId[id]),
        ];
    }

    /// <summary>"thread 114 (0x6710) "worker"".</summary>
    public static string Label(ThreadFacts thread) => Name(thread).Text;

    /// <summary>The same, with what it names.</summary>
    public static Claim Name(ThreadFacts thread)
    {
        string name = thread.Name.TryGet(out string? text) && text.Length > 0 ? $" \"{text}\"" : string.Empty;
        string number = thread.Index == ThreadFacts.NoIndex ? $"thread {thread.OsId}"
            : string.Create(System.Globalization.CultureInfo.InvariantCulture, $"thread {thread.Index} ({thread.OsId})");
        return $"{Claim.Of(new ClaimPart(number) { Thread = thread.OsId })}{name}";
    }
}
