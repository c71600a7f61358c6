using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Incident;

/// <summary>Who is kept waiting, crowds in a few words.</summary>
internal static class IncidentImpact
{
    private const int MostNamed = 6;

    public static IReadOnlyList<Claim> Of(TriageResult result)
    {
        Dictionary<ThreadId, ThreadAssessment> threads = result.Threads.DistinctBy(thread => thread.Thread.OsId).ToDictionary(thread => thread.Thread.OsId);
        ILookup<bool, Party> parties = result.Verdict.Victims.ToLookup(victim => victim.Thread is { } id && threads.ContainsKey(id));
        ThreadGroup[] groups =
        [
            .. ThreadGroup.Group(parties[true].Select(party => threads[party.Thread!.Value]).DistinctBy(thread => thread.Thread.OsId))
                .OrderByDescending(group => group.Threads.Count)
                .ThenBy(group => group.First.Thread.Index),
        ];
        int left = groups.Skip(MostNamed).Sum(group => group.Threads.Count);
        return
        [
            .. groups.Take(MostNamed).Select(Text),
            .. left > 0 ? [(Claim)$"{Count.More(left)}"] : Array.Empty<Claim>(),
            .. parties[false].Take(MostNamed).Select(party => Flow(result, party)),
            .. parties[false].Skip(MostNamed).Any() ? [(Claim)$"{parties[false].Count() - MostNamed} more"] : Array.Empty<Claim>(),
        ];
    }

    private static Claim Flow(TriageResult result, Party party)
        => ShownFlows.FactsOf(result.Snapshot)?.Groups.FirstOrDefault(group => group.Sample == party.Task) is { } flow
            ? AgeText.WithAge(flow)
            : party.Label;

    private static Claim Text(ThreadGroup group)
    {
        Claim target = group.WaitsFor is { } waits ? $" {(group.Threads.Count == 1 ? "waits" : "wait")} for {waits}" : Claim.Empty;
        string name = group.Name.Length > 0 ? $" \"{group.Name}\"" : string.Empty;
        return group.Threads.Count == 1
            ? (Claim)$"{Involved.Name(group.First.Thread)}{target}"
            : (Claim)$"{Claim.Of(new ClaimPart($"{group.Threads.Count} threads{name}") { Thread = group.First.Thread.OsId })} (numbers {group.Numbers}){target}";
    }
}
