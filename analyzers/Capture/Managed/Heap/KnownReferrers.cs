using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>What refers to the objects that somebody has asked about, for whoever asks about them again.</summary>
internal sealed class KnownReferrers
{
    private const int Most = 2_000_000;
    private const int None = -1;

    // The last referrer of each object, and of each referrer the one before.
    private readonly Dictionary<ulong, int> _last = [];
    private readonly List<(ClrObject Referrer, int Before)> _referrers = [];

    /// <summary>Adds all that refer to the object; false where that is not known.</summary>
    public bool TryAdd(ulong target, List<(ClrObject Referrer, ulong Target)> found)
    {
        if (!_last.TryGetValue(target, out int next))
        {
            return false;
        }

        for (; next != None; next = _referrers[next].Before)
        {
            found.Add((_referrers[next].Referrer, target));
        }

        return true;
    }

    /// <summary>Keeps what was found, as far as there is room.</summary>
    /// <param name="targets">Objects, of each of which all referrers were looked for.</param>
    /// <param name="found">What refers to them.</param>
    public void Keep(HashSet<ulong> targets, IReadOnlyList<(ClrObject Referrer, ulong Target)> found)
    {
        if (_last.Count + targets.Count > Most || _referrers.Count + found.Count > Most)
        {
            return;
        }

        foreach (ulong target in targets)
        {
            _last.TryAdd(target, None);
        }

        foreach ((ClrObject referrer, ulong target) in found)
        {
            _referrers.Add((referrer, _last[target]));
            _last[target] = _referrers.Count - 1;
        }
    }
}
