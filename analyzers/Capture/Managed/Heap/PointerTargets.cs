using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Notes where one block of the heap points to. Most objects point to their neighbours, and to a few that all point to, such as
/// comparers: what lies near is left out, the others are listed, and where they are too many, only their regions are.
/// </summary>
/// <param name="block">Where the block begins.</param>
/// <param name="targets">The room for them, zeroed: <see cref="Words"/> long.</param>
/// <param name="areRegions">Bits of regions are noted, not addresses.</param>
internal struct PointerTargets(ulong block, ArraySegment<ulong> targets, bool areRegions) : IWordVisitor
{
    public const int Words = 16;

    /// <summary>What lies less than so many blocks away is near.</summary>
    public const ulong NearBlocks = 2;

    private const ulong Bits = Words * 64;
    private const ulong Near = NearBlocks * PointerMap.BlockSize;

    private ulong _last;
    private int _count;

    /// <summary>Sets the bit of the region that the address is in; each is of a block's size.</summary>
    public static void Mark(Span<ulong> regions, ulong address)
    {
        ulong bit = address / PointerMap.BlockSize % Bits;
        regions[(int)(bit >> 6)] |= 1UL << (int)(bit & 63);
    }

    /// <summary>Fills the room with what the memory of the block points to.</summary>
    /// <param name="heap">All of the heap.</param>
    /// <param name="block">Where the block begins.</param>
    /// <param name="words">The block.</param>
    /// <param name="targets">The room for them, zeroed: <see cref="Words"/> long.</param>
    public static PointerTargetsKind Fill(MemoryRange heap, ulong block, ReadOnlySpan<ulong> words, ArraySegment<ulong> targets)
    {
        PointerTargets listed = new(block, targets, areRegions: false);
        WordRange.Visit(words, heap.Start, heap.Length, ref listed);
        if (listed._count <= Words)
        {
            return PointerTargetsKind.Addresses;
        }

        targets.AsSpan().Clear();
        PointerTargets regions = new(block, targets, areRegions: true);
        WordRange.Visit(words, heap.Start, heap.Length, ref regions);
        return PointerTargetsKind.Regions;
    }

    public bool Visit(ulong word, int at)
    {
        if (unchecked(word - block + Near) < 2 * Near || word == _last)
        {
            return true;
        }

        _last = word;
        if (areRegions)
        {
            Mark(targets, word);
        }
        else if (!targets.AsSpan(0, Math.Min(_count, Words)).Contains(word) && _count++ < Words)
        {
            targets.AsSpan()[_count - 1] = word;
        }

        return _count <= Words;
    }
}
