using System.Numerics;
using System.Runtime.InteropServices;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>Finds the words of a set in memory, at the speed at which the memory is read.</summary>
internal sealed class WordSearch
{
    private const int LeastFilterBits = 16;
    private const int MostFilterBits = 26;

    private readonly HashSet<ulong> _wanted;
    private readonly int _pointerSize;
    private readonly ulong _least;

    // How far the greatest lies above the least.
    private readonly ulong _span;

    // A bit for each word that could be wanted, sparse enough to turn away nearly all others.
    private readonly ulong[] _filter;
    private readonly ulong _mask;

    /// <param name="wanted">The words; not copied.</param>
    /// <param name="pointerSize">Bytes of a word, 4 or 8.</param>
    public WordSearch(HashSet<ulong> wanted, int pointerSize)
    {
        _wanted = wanted;
        _pointerSize = pointerSize;
        _least = _wanted.DefaultIfEmpty().Min();
        _span = _wanted.DefaultIfEmpty().Max() - _least;
        int bits = Math.Clamp(BitOperations.Log2((uint)_wanted.Count | 1) + 6, LeastFilterBits, MostFilterBits);
        _mask = (1UL << bits) - 1;
        _filter = new ulong[1 << (bits - 6)];
        foreach (ulong word in _wanted)
        {
            ulong slot = Slot(word);
            _filter[slot >> 6] |= 1UL << (int)(slot & 63);
        }
    }

    /// <summary>Adds each of them with its place, in the order of the memory. Words that do not lie at a multiple of their size are none.</summary>
    /// <param name="memory">The memory; a rest that is shorter than a word is left out.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="found">Is added to.</param>
    public void Find(ReadOnlySpan<byte> memory, ulong start, List<(ulong At, ulong Word)> found)
    {
        if (_pointerSize == sizeof(ulong))
        {
            Hits hits = new(this, start, found);
            WordRange.Visit(MemoryMarshal.Cast<byte, ulong>(memory), _least, _span, ref hits);
            return;
        }

        ReadOnlySpan<uint> words = MemoryMarshal.Cast<byte, uint>(memory);
        for (int i = 0; i < words.Length; i++)
        {
            Look(words[i], i, start, found);
        }
    }

    private void Look(ulong word, int at, ulong start, List<(ulong At, ulong Word)> found)
    {
        ulong slot = Slot(word);
        if ((_filter[slot >> 6] & (1UL << (int)(slot & 63))) != 0 && _wanted.Contains(word))
        {
            found.Add((start + (uint)(at * _pointerSize), word));
        }
    }

    private ulong Slot(ulong word) => (word >> 3) & _mask;

    private readonly struct Hits(WordSearch search, ulong start, List<(ulong At, ulong Word)> found) : IWordVisitor
    {
        public bool Visit(ulong word, int at)
        {
            search.Look(word, at, start, found);
            return true;
        }
    }
}
