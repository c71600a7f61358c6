using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>Counts the events of a trace by name.</summary>
internal sealed class EventCounts(TraceLimits limits)
{
    private const string Other = "other events";

    private readonly Dictionary<string, Counted> _counts = new(StringComparer.Ordinal);

    /// <summary>The counter of a kind of event, for callers that keep it.</summary>
    public Counted Of(string name, bool isDecoded)
    {
        if (!_counts.TryGetValue(name, out Counted? counted))
        {
            string kept = _counts.Count < limits.EventKinds ? name : Other;
            if (!_counts.TryGetValue(kept, out counted))
            {
                _counts.Add(kept, counted = new Counted(isDecoded));
            }
        }

        return counted;
    }

    public IReadOnlyList<TraceEventCount> Facts()
        => [.. _counts.Select(pair => new TraceEventCount(pair.Key, pair.Value.Count, pair.Value.IsDecoded)).OrderByDescending(count => count.Count).ThenBy(count => count.Name, StringComparer.Ordinal)];
}
