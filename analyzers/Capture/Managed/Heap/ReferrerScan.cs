using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Finds the objects that refer to given ones by searching the heap's memory for their addresses: no object is parsed but
/// those with a hit, so it costs little more than reading the memory once.
/// </summary>
internal sealed class ReferrerScan(ClrRuntime runtime, PointerMap pointers, KnownReferrers known, CaptureContext context)
{
    private const int WindowSize = 1 << 16;
    private const int Few = 64;

    private readonly HeapTypes _types = new(runtime.Heap, []);
    private readonly MemoryWindow _window = new(runtime.DataTarget.DataReader, WindowSize);
    private readonly BlockSearch _blocks = new(runtime.DataTarget.DataReader, pointers, context);
    private readonly int _pointerSize = runtime.DataTarget.DataReader.PointerSize;
    private bool _isCut;

    /// <summary>Some memory of the heap was not in the input, or there were more hits than the limits.</summary>
    public bool IsIncomplete => _isCut || _blocks.IsIncomplete;

    /// <summary>Each referrer once for each of the targets: of those that were asked about before, then of the others in the order of the heap.</summary>
    public IReadOnlyList<(ClrObject Referrer, ulong Target)> Find(HashSet<ulong> targets)
    {
        List<(ClrObject, ulong)> found = [];
        HashSet<ulong> unknown = [.. targets.Where(target => !known.TryAdd(target, found))];
        if (unknown.Count > 0)
        {
            List<(ClrObject, ulong)> searched = Search(unknown);
            if (!IsIncomplete)
            {
                known.Keep(unknown, searched);
            }

            found.AddRange(searched);
        }

        return found;
    }

    private List<(ClrObject, ulong)> Search(HashSet<ulong> targets)
    {
        WordSearch words = new(targets, _pointerSize);
        PointerSearch search = new(targets, pointers.Heap);
        List<(ClrObject, ulong)> found = [];
        HashSet<ulong> inHolder = [];
        foreach (ClrSegment segment in runtime.Heap.Segments)
        {
            HolderFinder holders = new(runtime.Heap, _types, _window, segment);
            ulong last = 0;
            foreach ((ulong at, ulong target) in _blocks.Find(segment.ObjectRange, words, search))
            {
                if (found.Count == context.Limits.Referrers)
                {
                    _isCut = true;
                    return found;
                }

                ClrObject holder = holders.Find(at);
                if (holder.Address != last)
                {
                    last = holder.Address;

                    // A set that was large once takes long to be cleared ever after.
                    if (inHolder.Count > Few)
                    {
                        inHolder = [];
                    }

                    inHolder.Clear();
                }

                // Buffers are not cleared before use: they can hold what was there before.
                if (!holder.IsNull && holder.Type is { IsFree: false, ContainsPointers: true }
                    && holder.Address != target && inHolder.Add(target))
                {
                    found.Add((holder, target));
                }
            }

            _isCut |= holders.IsCut;
        }

        return found;
    }
}
