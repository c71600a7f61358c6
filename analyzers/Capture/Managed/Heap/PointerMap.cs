using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Where each block of the heap points to, as far as it has been read: a search that comes later passes by the blocks that cannot
/// point to what it looks for. Coarse, so that it takes a five-hundredth of the heap; it never says "no" wrongly.
/// </summary>
internal sealed class PointerMap
{
    /// <summary>Bytes of a block; the blocks of a range begin where that begins.</summary>
    public const int BlockSize = 1 << 16;

    // Of the map's 64 MB, for 32 GB of heap. What is larger is searched without one.
    private const int MostBlocks = 1 << 19;
    private const int RegionBits = 16;
    private const int Words = 16;
    private const int Bits = Words * 64;

    private readonly Dictionary<ulong, int> _firstBlocks = [];
    private readonly ulong[] _regions;
    private readonly bool[] _isNoted;
    private readonly ulong _least;
    private readonly ulong _span;
    private readonly int _pointerSize;

    /// <param name="heap">The ranges where objects stand.</param>
    /// <param name="pointerSize">Bytes of a pointer, 4 or 8.</param>
    public PointerMap(IReadOnlyList<MemoryRange> heap, int pointerSize)
    {
        _pointerSize = pointerSize;
        ulong blocks = 0;
        foreach (MemoryRange range in heap)
        {
            _firstBlocks[range.Start] = (int)blocks;
            blocks += Math.Min(MostBlocks + 1, (range.Length + BlockSize - 1) / BlockSize);
            if (blocks > MostBlocks)
            {
                _firstBlocks.Clear();
                blocks = 0;
                break;
            }
        }

        _isNoted = new bool[blocks];
        _regions = new ulong[blocks * Words];
        _least = heap.Select(range => range.Start).DefaultIfEmpty().Min();
        _span = heap.Select(range => range.End).DefaultIfEmpty().Max() - _least;
    }

    /// <summary>To be asked for with <see cref="MayPoint"/>; null where any of the objects is not of the heap.</summary>
    public ulong[]? RegionsOf(IEnumerable<ulong> objects)
    {
        ulong[] regions = new ulong[Words];
        foreach (ulong address in objects)
        {
            if (address - _least > _span)
            {
                return null;
            }

            Add(address, regions);
        }

        return regions;
    }

    /// <summary>False where the block is known to point to none of these regions.</summary>
    /// <param name="range">Where the block's range begins.</param>
    /// <param name="block">Where it begins itself.</param>
    /// <param name="regions">Of <see cref="RegionsOf"/>.</param>
    public bool MayPoint(ulong range, ulong block, ulong[]? regions)
    {
        if (regions is null || IndexOf(range, block) is not { } index || !_isNoted[index])
        {
            return true;
        }

        ReadOnlySpan<ulong> own = _regions.AsSpan(index * Words, Words);
        ulong common = 0;
        for (int i = 0; i < Words; i++)
        {
            common |= own[i] & regions[i];
        }

        return common != 0;
    }

    /// <summary>Notes where the block points to.</summary>
    /// <param name="range">Where the block's range begins.</param>
    /// <param name="block">Where it begins itself.</param>
    /// <param name="memory">All of it.</param>
    public void Note(ulong range, ulong block, ReadOnlySpan<byte> memory)
    {
        if (IndexOf(range, block) is not { } index || _isNoted[index])
        {
            return;
        }

        _isNoted[index] = true;
        Span<ulong> regions = _regions.AsSpan(index * Words, Words);
        if (_pointerSize == sizeof(ulong))
        {
            foreach (ulong word in MemoryMarshal.Cast<byte, ulong>(memory))
            {
                if (word - _least <= _span)
                {
                    Add(word, regions);
                }
            }

            return;
        }

        foreach (uint word in MemoryMarshal.Cast<byte, uint>(memory))
        {
            if (word - _least <= _span)
            {
                Add(word, regions);
            }
        }
    }

    private int? IndexOf(ulong range, ulong block)
        => _firstBlocks.TryGetValue(range, out int first) ? first + (int)((block - range) / BlockSize) : null;

    private static void Add(ulong address, Span<ulong> regions)
    {
        ulong bit = (address >> RegionBits) % Bits;
        regions[(int)(bit >> 6)] |= 1UL << (int)(bit & 63);
    }
}
