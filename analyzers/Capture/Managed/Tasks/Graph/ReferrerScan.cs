using System.Buffers.Binary;
using System.Numerics;
using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// Finds the objects that refer to given ones by searching the heap's memory for their addresses: no object is parsed but
/// those with a hit, so it costs little more than reading the memory once.
/// </summary>
internal sealed class ReferrerScan(ClrRuntime runtime, CaptureContext context)
{
    private const int ChunkSize = 1 << 20;
    private const int WindowSize = 1 << 16;
    private const int LeastFilterBits = 16;
    private const int MostFilterBits = 26;

    private readonly HeapTypes _types = new(runtime.Heap, []);
    private readonly MemoryWindow _window = new(runtime.DataTarget.DataReader, WindowSize);
    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly byte[] _chunk = new byte[ChunkSize];

    /// <summary>Some memory of the heap was not in the input, or there were more hits than the limit.</summary>
    public bool IsIncomplete { get; private set; }

    /// <summary>Each referrer once for each of the targets, in the order of the heap.</summary>
    public IReadOnlyList<(ClrObject Referrer, ulong Target)> Find(IReadOnlyCollection<ulong> targets)
    {
        HashSet<ulong> wanted = [.. targets];
        // A filter of a bit for each word that could be wanted, sparse enough to turn away nearly all others.
        int bits = Math.Clamp(BitOperations.Log2((uint)wanted.Count | 1) + 6, LeastFilterBits, MostFilterBits);
        bool[] filter = new bool[1 << bits];
        foreach (ulong target in wanted)
        {
            filter[Slot(target, filter)] = true;
        }

        List<(ClrObject, ulong)> found = [];
        HashSet<ulong> inHolder = [];
        foreach (ClrSegment segment in runtime.Heap.Segments)
        {
            HolderFinder holders = new(runtime.Heap, _types, _window, segment);
            ulong last = 0;
            foreach ((ulong at, ulong target) in Hits(segment, wanted, filter))
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
                    inHolder.Clear();
                }

                if (!holder.IsNull && holder.Type is { IsFree: false } && holder.Address != target && inHolder.Add(target))
                {
                    found.Add((holder, target));
                }
            }
        }

        return found;
    }

    private IEnumerable<(ulong At, ulong Target)> Hits(ClrSegment segment, HashSet<ulong> wanted, bool[] filter)
    {
        ulong end = segment.ObjectRange.End;
        for (ulong at = segment.ObjectRange.Start; at < end; at += ChunkSize)
        {
            context.Step();
            int size = (int)Math.Min(ChunkSize, end - at);
            int read = _reader.Read(at, _chunk.AsSpan(0, size));
            IsIncomplete |= read < size;
            for (int offset = 0; offset + _reader.PointerSize <= read; offset += _reader.PointerSize)
            {
                ulong word = _reader.PointerSize == 8
                    ? BinaryPrimitives.ReadUInt64LittleEndian(_chunk.AsSpan(offset))
                    : BinaryPrimitives.ReadUInt32LittleEndian(_chunk.AsSpan(offset));
                if (filter[Slot(word, filter)] && wanted.Contains(word))
                {
                    yield return (at + (uint)offset, word);
                }
            }
        }
    }

    private static int Slot(ulong word, bool[] filter) => (int)(word >> 3) & (filter.Length - 1);
}
