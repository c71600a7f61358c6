using HangTriage.Capture.Managed.Flows;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>The sources of the cancellation tokens with which async methods wait: whoever can reach one can cancel the wait.</summary>
internal sealed class ReachTokens
{
    // A group of more is one of requests, each with a token of its own: the first tell.
    private const int MostOfGroup = 64;

    private readonly Dictionary<FlowGrouping, IReadOnlyList<ulong>> _sources = new(ReferenceEqualityComparer.Instance);

    public ReachTokens(ClrHeap heap, IEnumerable<FlowGrouping> groups)
    {
        foreach (FlowGrouping group in groups.Where(group => group.Tokens.Count > 0))
        {
            _sources.Add(group, [.. group.Tokens.Take(MostOfGroup).SelectMany(node => TokenTimers.SourcesOf(heap.GetObject(node))).Select(source => source.Address).Distinct()]);
        }
    }

    /// <summary>Their addresses.</summary>
    public IEnumerable<ulong> Sources => _sources.Values.SelectMany(sources => sources).Distinct();

    /// <summary>Those of one group; empty where it takes no token, or none of a source.</summary>
    public IReadOnlyList<ulong> Of(FlowGrouping group) => _sources.GetValueOrDefault(group) ?? [];
}
