using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Collections;

/// <summary>Gathers the faults of one table: of each kind the first place, and how many there are.</summary>
internal sealed class FaultList
{
    private readonly SortedDictionary<CollectionFaultKind, CollectionFault> _faults = [];

    public void Add(CollectionFaultKind kind, int? bucket, int? entry, int? next)
        => _faults[kind] = _faults.TryGetValue(kind, out CollectionFault? first)
            ? first with { Places = first.Places + 1 }
            : new CollectionFault { Kind = kind, Places = 1, Bucket = bucket, Entry = entry, Next = next };

    /// <summary>All of them, the worst kind first; the list is empty afterwards.</summary>
    public IReadOnlyList<CollectionFault> Take()
    {
        if (_faults.Count == 0)
        {
            return [];
        }

        CollectionFault[] all = [.. _faults.Values];
        _faults.Clear();
        return all;
    }
}
