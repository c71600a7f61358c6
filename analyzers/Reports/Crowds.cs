using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Parties one by one, but many threads of one name that do the same in one line.</summary>
internal static class Crowds
{
    private const int Few = 3;

    /// <param name="parties">Whom to tell of.</param>
    /// <param name="result">Knows the threads' numbers and names.</param>
    /// <param name="most">How many threads of a crowd are named; the rest are counted.</param>
    public static IReadOnlyList<Claim> Of(IReadOnlyList<Party> parties, TriageResult result, int most)
    {
        ILookup<ThreadId, ThreadFacts> threads = result.Threads.ToLookup(assessment => assessment.Thread.OsId, assessment => assessment.Thread);
        return
        [
            .. parties
                .Select(party => (Party: party, Thread: party.Thread is { } id ? threads[id].FirstOrDefault() : null))
                .GroupBy(pair => pair.Thread is { } thread ? (NameOf(thread), pair.Party.Role?.Text) : (pair.Party.Label.Text, pair.Party.Role?.Text))
                .SelectMany(group => group.Count() > Few && group.All(pair => pair.Thread is not null)
                    ? [Together([.. group.Select(pair => pair.Thread!)], group.First().Party.Role, most)]
                    : group.Select(pair => Alone(pair.Party, CountOf(pair.Party, result)))),
        ];
    }

    /// <summary>As "16 threads ".NET TP Worker" (numbers 7, 9, 10)"; of threads of several names only the numbers.</summary>
    public static Claim Name(IReadOnlyList<ThreadFacts> threads, int most)
    {
        string name = NameOf(threads[0]) is { Length: > 0 } text && threads.All(thread => NameOf(thread) == text) ? $" \"{text}\"" : string.Empty;
        Claim numbers = Claim.Join(", ", threads.Take(most).Select(thread => Claim.Of(new ClaimPart($"{thread.Index}") { Thread = thread.OsId })));
        Claim more = threads.Count > most ? $" and {threads.Count - most} more" : Claim.Empty;
        return $"{threads.Count} threads{name} (numbers {numbers}{more})";
    }

    /// <summary>How many a party stands for: more than one where it is a group of suspended async methods.</summary>
    public static int CountOf(Party party, TriageResult result)
        => party.Task is { } task && ShownFlows.FactsOf(result.Snapshot)?.Groups.FirstOrDefault(group => group.Sample == task) is { } flow ? flow.Count : 1;

    private static Claim Alone(Party party, int count)
    {
        Claim name = count > 1 ? $"{count} x {party}" : party.Label;
        return party.Role is { } role ? $"{name}: {role}" : name;
    }

    private static Claim Together(IReadOnlyList<ThreadFacts> threads, Claim? role, int most)
        => role is null ? Name(threads, most) : $"{Name(threads, most)}: {role}";

    /// <summary>Empty where it has none.</summary>
    public static string NameOf(ThreadFacts thread) => thread.Name.TryGet(out string? name) ? name : string.Empty;
}
