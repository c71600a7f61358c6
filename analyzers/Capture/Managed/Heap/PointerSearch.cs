using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Heap;

/// <summary>Objects whose referrers are looked for, in the forms in which a <see cref="PointerMap"/> is asked for them.</summary>
internal sealed class PointerSearch
{
    private readonly HashSet<ulong> _objects;
    private readonly HashSet<ulong> _near = [];
    private readonly ulong[] _regions = new ulong[PointerTargets.Words];
    private readonly bool _isAnywhere;

    /// <param name="objects">Their addresses; not copied.</param>
    /// <param name="heap">All of the heap; where any of them lies elsewhere, every block is searched.</param>
    public PointerSearch(HashSet<ulong> objects, MemoryRange heap)
    {
        _objects = objects;
        _isAnywhere = objects.Any(address => address < heap.Start || address >= heap.End);
        HashSet<ulong> blocks = [];
        foreach (ulong address in objects)
        {
            PointerTargets.Mark(_regions, address);
            blocks.Add(address / PointerMap.BlockSize);
        }

        foreach (ulong block in blocks)
        {
            for (ulong near = block - PointerTargets.NearBlocks; near != block + PointerTargets.NearBlocks + 1; near++)
            {
                _near.Add(near);
            }
        }
    }

    /// <summary>One of them lies so near to the block that it was not noted whether the block points to it.</summary>
    public bool IsNear(ulong block) => _isAnywhere || _near.Contains(block / PointerMap.BlockSize);

    /// <summary>One of them is listed there; the zeros behind the last are none.</summary>
    public bool HasAny(ReadOnlySpan<ulong> addresses)
    {
        foreach (ulong address in addresses)
        {
            if (address == 0)
            {
                break;
            }

            if (_objects.Contains(address))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>One of them may lie in a region with one of these bits.</summary>
    public bool IsInAny(ReadOnlySpan<ulong> regions)
    {
        ulong common = 0;
        for (int i = 0; i < regions.Length; i++)
        {
            common |= regions[i] & _regions[i];
        }

        return common != 0;
    }
}
