using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports.Requests;

/// <summary>The requests under way, and which of them are known to wait in what was judged.</summary>
internal static class ShownRequests
{
    /// <summary>Null where they were not read, or there are none.</summary>
    public static RequestsFacts? FactsOf(ProcessSnapshot snapshot)
        => snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && facts.Requests is { } requests
            && requests.TryGet(out RequestsFacts? known) && known.List.Count > 0
                ? known
                : null;

    public static IReadOnlyList<RequestGroup> Of(ProcessSnapshot snapshot) => RequestGroup.Of(FactsOf(snapshot)?.List ?? []);

    /// <summary>
    /// The requests of clients whose thread or async method the verdict names among those who wait for one another, the culprit with them;
    /// of a starved pool also those that wait in its queue. None where the verdict is no hang.
    /// </summary>
    public static IReadOnlyList<RequestFacts> Behind(TriageResult result)
    {
        if (!result.Verdict.Kind.IsHang() || FactsOf(result.Snapshot) is not { } facts)
        {
            return [];
        }

        Party[] parties =
        [
            .. result.Verdict.Victims,
            .. result.Verdict.Chain.SelectMany(link => new[] { link.From, link.To }),
            .. result.Verdict.Culprit is { } culprit ? [culprit] : Array.Empty<Party>(),
        ];
        HashSet<ThreadId> threads = [.. parties.Select(party => party.Thread).OfType<ThreadId>()];
        HashSet<Address> flows = [.. parties.Select(party => party.Task).OfType<Address>()];
        if (result.Verdict.Kind == VerdictKind.Starvation && ShownFlows.FactsOf(result.Snapshot) is { } suspended)
        {
            flows.UnionWith(suspended.Groups.Where(group => group.State == FlowState.QueuedToResume).Select(group => group.Sample));
        }

        return
        [
            .. facts.List.Where(request => request.Kind == RequestKind.Served
                && ((request.Thread is { } thread && threads.Contains(thread)) || (request.Flow is { } flow && flows.Contains(flow)))),
        ];
    }
}
