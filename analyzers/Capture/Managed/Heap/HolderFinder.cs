using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Says which object a word of a segment belongs to. Asked in the order of addresses it steps on from the object before, which
/// is far cheaper than to search one anew.
/// </summary>
internal sealed class HolderFinder(ClrHeap heap, HeapTypes types, MemoryWindow window, ClrSegment segment)
{
    private const ulong FarthestStep = 1 << 16;

    private readonly int _pointerSize = heap.Runtime.DataTarget.DataReader.PointerSize;
    private readonly ulong _alignment =
        heap.Runtime.DataTarget.DataReader.PointerSize == sizeof(ulong) || segment.Kind is GCSegmentKind.Large or GCSegmentKind.Pinned ? 8UL : 4UL;

    private ulong _start;
    private ulong _end;

    /// <summary>A null object where the word belongs to none.</summary>
    public ClrObject Find(ulong word)
    {
        while (_end != 0 && word >= _end && word - _end < FarthestStep && Size(_end) is { } size)
        {
            (_start, _end) = (_end, _end + size);
        }

        if (word < _start || word >= _end)
        {
            // The object that begins before the next word is the one that holds this word.
            ClrObject found = heap.FindPreviousObjectOnSegment(word + 1, carefully: false);
            if (found.IsNull || found.Type is null || found.Address < segment.ObjectRange.Start || Size(found.Address) is not { } own)
            {
                return default;
            }

            (_start, _end) = (found.Address, found.Address + own);
        }

        return word >= _start && word < _end ? heap.GetObject(_start) : default;
    }

    private ulong? Size(ulong address)
    {
        ReadOnlySpan<byte> content = window.At(address, 2 * _pointerSize, segment.ObjectRange.End);
        if (content.Length < 2 * _pointerSize)
        {
            return null;
        }

        ulong table = _pointerSize == sizeof(ulong) ? BitConverter.ToUInt64(content) : BitConverter.ToUInt32(content);
        return table == 0 ? null : types.Of(table, address)?.SizeOf(content, _pointerSize, _alignment);
    }
}
