using HangTriage.Capture.Managed.Reading;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Says which object a word of a segment belongs to. Asked in the order of addresses it steps on from the object before, which
/// is far cheaper than to search one anew.
/// </summary>
internal sealed class HolderFinder(ClrHeap heap, HeapTypes types, MemoryWindow window, ClrSegment segment)
{
    private const ulong FarthestStep = 1 << 16;

    // What a freed object held may still stand in the heap, and each such word costs a careful search.
    private const int MostFruitless = 10_000;

    private readonly int _pointerSize = heap.Runtime.DataTarget.DataReader.PointerSize;
    private readonly ulong _alignment =
        heap.Runtime.DataTarget.DataReader.PointerSize == sizeof(ulong) || segment.Kind is GCSegmentKind.Large or GCSegmentKind.Pinned ? 8UL : 4UL;

    private int _fruitless;
    private ulong _start;
    private ulong _end;

    /// <summary>So many words belonged to no object that of later ones behind a hole the object is not found.</summary>
    public bool IsCut => _fruitless >= MostFruitless;

    /// <summary>A null object where the word belongs to none.</summary>
    public ClrObject Find(ulong word)
    {
        while (_end != 0 && word >= _end && word - _end < FarthestStep && Size(_end) is { } size)
        {
            (_start, _end) = (_end, _end + size);
        }

        if (word < _start || word >= _end)
        {
            // Where a thread's room to allocate is exactly used up the runtime lists none, and a walk that is not careful ends there.
            if (!TryFrom(word, carefully: false) && !IsCut)
            {
                _fruitless += TryFrom(word, carefully: true) ? 0 : 1;
            }
        }

        return word >= _start && word < _end ? heap.GetObject(_start) : default;
    }

    /// <summary>From the object that begins before the next word, which is the one that holds this word; false where it does not hold it.</summary>
    private bool TryFrom(ulong word, bool carefully)
    {
        // Of a word that belongs to no object any number around it can be taken for an object's type.
        using OptionalReads optional = new(heap.Runtime.DataTarget.DataReader);
        using TypeGuesses guesses = new(heap.Runtime.DataTarget.DataReader);
        ClrObject found = heap.FindPreviousObjectOnSegment(word + 1, carefully);
        if (found.IsNull || found.Type is null || found.Address < segment.ObjectRange.Start || Size(found.Address) is not { } own)
        {
            return false;
        }

        (_start, _end) = (found.Address, found.Address + own);
        return word < _end;
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
