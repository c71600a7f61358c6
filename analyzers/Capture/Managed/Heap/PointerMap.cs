using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>
/// Where each block of the heap points to, as far as it has been read: a search that comes later passes by the blocks that cannot
/// point to what it looks for. It takes a five-hundredth of the heap, and never says "no" wrongly.
/// </summary>
internal sealed class PointerMap
{
    /// <summary>Bytes of a block; the blocks of a range begin where that begins.</summary>
    public const int BlockSize = 1 << 16;

    // The map has 64 MB then, for 32 GB of heap. What is larger, or lists a range twice, is searched without one.
    private const int MostBlocks = 1 << 19;
    private const int Words = PointerTargets.Words;

    private readonly Dictionary<ulong, int> _firstBlocks = [];
    private readonly ulong[] _targets;
    private readonly PointerTargetsKind[] _kinds;

    /// <param name="heap">The ranges where objects stand.</param>
    /// <param name="pointerSize">Bytes of a pointer; none but those of 8 are noted.</param>
    public PointerMap(IReadOnlyList<MemoryRange> heap, int pointerSize)
    {
        ulong blocks = 0;
        foreach (MemoryRange range in heap)
        {
            bool isKnown = !_firstBlocks.TryAdd(range.Start, (int)blocks);
            blocks += Math.Min(MostBlocks + 1, (range.Length / BlockSize) + 1);
            if (blocks > MostBlocks || isKnown || range.Start == 0 || pointerSize != sizeof(ulong))
            {
                _firstBlocks.Clear();
                blocks = 0;
                break;
            }
        }

        _kinds = new PointerTargetsKind[blocks];
        _targets = new ulong[blocks * Words];
        Heap = new MemoryRange(heap.Select(range => range.Start).DefaultIfEmpty().Min(), heap.Select(range => range.End).DefaultIfEmpty().Max());
    }

    /// <summary>All of the heap, with what lies between its ranges.</summary>
    public MemoryRange Heap { get; }

    /// <summary>False where the block is known to point to none of the objects.</summary>
    /// <param name="range">Where the block's range begins.</param>
    /// <param name="block">Where it begins itself.</param>
    /// <param name="wanted">The objects.</param>
    public bool MayPoint(ulong range, ulong block, PointerSearch wanted)
        => IndexOf(range, block) is not { } index
            || _kinds[index] switch
            {
                PointerTargetsKind.Addresses => wanted.IsNear(block) || wanted.HasAny(_targets.AsSpan(index * Words, Words)),
                PointerTargetsKind.Regions => wanted.IsNear(block) || wanted.IsInAny(_targets.AsSpan(index * Words, Words)),
                _ => true,
            };

    /// <summary>Notes where the block points to.</summary>
    /// <param name="range">Where the block's range begins.</param>
    /// <param name="block">Where it begins itself.</param>
    /// <param name="memory">All of it.</param>
    public void Note(ulong range, ulong block, ReadOnlySpan<byte> memory)
    {
        if (IndexOf(range, block) is { } index && _kinds[index] == PointerTargetsKind.Unknown)
        {
            ArraySegment<ulong> targets = new(_targets, index * Words, Words);
            _kinds[index] = PointerTargets.Fill(Heap, block, MemoryMarshal.Cast<byte, ulong>(memory), targets);
        }
    }

    private int? IndexOf(ulong range, ulong block)
        => _firstBlocks.TryGetValue(range, out int first) ? first + (int)((block - range) / BlockSize) : null;
}
