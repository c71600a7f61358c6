using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// Finds the objects that refer to given ones by searching the heap's memory for their addresses: no object is parsed but
/// those with a hit, so it costs little more than reading the memory once.
/// </summary>
internal sealed class ReferrerScan(ClrRuntime runtime, CaptureContext context)
{
    private const int ChunkSize = 1 << 20;
    private const int FilterBits = 16;

    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly byte[] _chunk = new byte[ChunkSize];

    /// <summary>Some memory of the heap was not in the input, or there were more hits than the limit.</summary>
    public bool IsIncomplete { get; private set; }

    public IReadOnlyList<(ClrObject Referrer, ulong Target)> Find(IReadOnlyCollection<ulong> targets)
    {
        HashSet<ulong> wanted = [.. targets];
        bool[] filter = new bool[1 << FilterBits];
        foreach (ulong target in wanted)
        {
            filter[Slot(target)] = true;
        }

        List<(ClrObject, ulong)> found = [];
        foreach (ClrSegment segment in runtime.Heap.Segments)
        {
            foreach ((ulong at, ulong target) in Hits(segment, wanted, filter))
            {
                if (found.Count == context.Limits.Tasks)
                {
                    IsIncomplete = true;
                    return found;
                }

                ClrObject holder = ObjectAt(segment, at);
                if (!holder.IsNull && holder.Type is { IsFree: false } && holder.Address != target)
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
                if (filter[Slot(word)] && wanted.Contains(word))
                {
                    yield return (at + (uint)offset, word);
                }
            }
        }
    }

    private ClrObject ObjectAt(ClrSegment segment, ulong address)
    {
        // The object that begins before the next word is the one that holds this word.
        ClrObject holder = runtime.Heap.FindPreviousObjectOnSegment(address + 1, carefully: false);
        return holder.IsNull || holder.Address < segment.ObjectRange.Start || address >= holder.Address + holder.Size ? default : holder;
    }

    private static int Slot(ulong word) => (int)(word >> 3) & ((1 << FilterBits) - 1);
}
