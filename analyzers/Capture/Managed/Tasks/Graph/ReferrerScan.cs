using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// Finds the objects that refer to given ones by searching the heap's memory for their addresses: no object is parsed but
/// those with a hit, so it costs little more than reading the memory once.
/// </summary>
internal sealed class ReferrerScan(ClrRuntime runtime, PointerMap pointers, CaptureContext context)
{
    private const int WindowSize = 1 << 16;
    private const int Few = 64;

    private readonly HeapTypes _types = new(runtime.Heap, []);
    private readonly MemoryWindow _window = new(runtime.DataTarget.DataReader, WindowSize);
    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly byte[] _block = new byte[PointerMap.BlockSize];

    /// <summary>Some memory of the heap was not in the input, or there were more hits than the limits.</summary>
    public bool IsIncomplete { get; private set; }

    /// <summary>Each referrer once for each of the targets, in the order of the heap.</summary>
    public IReadOnlyList<(ClrObject Referrer, ulong Target)> Find(HashSet<ulong> targets)
    {
        WordSearch words = new(targets, _reader.PointerSize);
        PointerSearch search = new(targets, pointers.Heap);
        List<(ClrObject, ulong)> found = [];
        HashSet<ulong> inHolder = [];
        foreach (ClrSegment segment in runtime.Heap.Segments)
        {
            HolderFinder holders = new(runtime.Heap, _types, _window, segment);
            ulong last = 0;
            foreach ((ulong at, ulong target) in Hits(segment.ObjectRange, words, search))
            {
                if (found.Count == context.Limits.Referrers)
                {
                    IsIncomplete = true;
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

                if (!holder.IsNull && holder.Type is { IsFree: false } && holder.Address != target && inHolder.Add(target))
                {
                    found.Add((holder, target));
                }
            }

            IsIncomplete |= holders.IsCut;
        }

        return found;
    }

    private IEnumerable<(ulong At, ulong Target)> Hits(MemoryRange range, WordSearch words, PointerSearch search)
    {
        List<(int Offset, ulong Word)> hits = [];
        for (ulong at = range.Start; at < range.End; at += PointerMap.BlockSize)
        {
            context.Step();
            if (!pointers.MayPoint(range.Start, at, search))
            {
                continue;
            }

            int size = (int)Math.Min(PointerMap.BlockSize, range.End - at);
            int read = _reader.Read(at, _block.AsSpan(0, size));
            if (read == size)
            {
                pointers.Note(range.Start, at, _block.AsSpan(0, read));
            }

            IsIncomplete |= read < size;
            hits.Clear();
            words.Find(_block.AsSpan(0, read), hits);
            foreach ((int offset, ulong word) in hits)
            {
                yield return (at + (uint)offset, word);
            }
        }
    }
}
