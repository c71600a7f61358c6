using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Images;

/// <summary>The function table of an image (.pdata), searched where it lies in the target's memory.</summary>
internal sealed class FunctionTable
{
    private readonly TargetMemory _memory;
    private readonly ulong _imageBase;
    private readonly PeDirectory _directory;
    private readonly int _count;
    private readonly int _chainLimit;

    public FunctionTable(TargetMemory memory, ulong imageBase, PeDirectory directory, CaptureLimits limits)
    {
        _memory = memory;
        _imageBase = imageBase;
        _directory = directory;
        _count = (int)Math.Min(directory.Size / FunctionEntry.Size, (uint)limits.FunctionsPerModule);
        _chainLimit = limits.UnwindChain;
    }

    public bool IsEmpty => _count == 0;

    public static FunctionEntry Parse(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]));

    /// <summary>Finds the entry that covers an address of the image.</summary>
    /// <param name="rva">From the image's base.</param>
    /// <param name="entry">The entry where it was found.</param>
    /// <param name="index">The last entry that begins at or below the address; -1 where none does.</param>
    public FunctionLookup Find(uint rva, out FunctionEntry entry, out int index)
    {
        entry = default;
        int low = 0;
        int high = _count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (!TryReadEntry(middle, out FunctionEntry candidate))
            {
                index = -1;
                return FunctionLookup.Unreadable;
            }

            if (candidate.Begin <= rva)
            {
                entry = candidate;
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        index = low - 1;
        return index >= 0 && entry.Contains(rva) ? FunctionLookup.Found : FunctionLookup.None;
    }

    /// <summary>Where the entry of a place in the table begins; false behind the last one, or where the table is not in memory.</summary>
    public bool TryGetBegin(int index, out uint begin)
    {
        FunctionEntry entry = default;
        bool isRead = index >= 0 && index < _count && TryReadEntry(index, out entry);
        begin = entry.Begin;
        return isRead;
    }

    /// <summary>Follows an entry that stands for another (bit 0 of its unwind data) to that one.</summary>
    public bool TryResolve(FunctionEntry entry, out FunctionEntry resolved)
    {
        resolved = entry;
        for (int i = 0; i < _chainLimit && (resolved.UnwindInfo & 1) != 0; i++)
        {
            if (!TryReadAt(resolved.UnwindInfo & ~1u, out resolved))
            {
                return false;
            }
        }

        return (resolved.UnwindInfo & 1) == 0;
    }

    /// <summary>The entry of the function that this entry is a part of: itself where it is not chained.</summary>
    public bool TryGetPrimary(FunctionEntry entry, out FunctionEntry primary)
    {
        primary = entry;
        Span<byte> buffer = stackalloc byte[UnwindInfo.MaxSize];
        for (int i = 0; i < _chainLimit; i++)
        {
            if (!TryResolve(primary, out primary)
                || UnwindInfo.TryRead(_memory, _imageBase + primary.UnwindInfo, buffer, out UnwindInfo info) != UnwindInfoRead.Done)
            {
                return false;
            }

            if (!info.IsChained)
            {
                return true;
            }

            primary = info.Chained;
        }

        return false;
    }

    private bool TryReadEntry(int index, out FunctionEntry entry)
        => TryReadAt(_directory.Rva + (uint)(index * FunctionEntry.Size), out entry);

    private bool TryReadAt(uint rva, out FunctionEntry entry)
    {
        Span<byte> bytes = stackalloc byte[FunctionEntry.Size];
        bool isRead = _memory.TryRead(unchecked(_imageBase + rva), bytes);
        entry = isRead ? Parse(bytes) : default;
        return isRead;
    }
}
