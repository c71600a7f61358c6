using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// The memory in a dump: ranges sorted by address, without overlaps, found by binary search, their bytes left in the
/// mapped file. Where two ranges overlap, the one that starts lower wins.
/// </summary>
internal sealed class MinidumpMemory
{
    private const int DescriptorSize = 16;

    // The cache asks for whole pages, and again for what it needs of them.
    private const int ReadAhead = 4096;
    private const int MostCutOff = 4096;

    private readonly MappedFile _file;
    private readonly ulong _addressMask;
    private readonly List<Range> _ranges = [];
    private readonly List<(ulong Start, ulong End)> _cutOff = [];
    private ulong _missing;
    private ulong? _lost;

    private MinidumpMemory(MappedFile file, bool is32Bit)
    {
        _file = file;
        // createdump sign-extends 32-bit addresses: 0xFFFFFFFF80000000 stands for 0x80000000.
        _addressMask = is32Bit ? uint.MaxValue : ulong.MaxValue;
    }

    public static MinidumpMemory Read(MappedFile file, MinidumpDirectory directory, bool is32Bit, CaptureLimits limits, List<Gap> gaps)
    {
        MinidumpMemory memory = new(file, is32Bit);
        bool hasList = memory.AddMemory64List(directory, limits, gaps);
        hasList |= memory.AddMemoryList(directory, limits, gaps);
        if (!hasList)
        {
            gaps.Add(new Gap("memory", "the dump lists none"));
        }

        return memory;
    }

    /// <summary>Adds a thread's stack, which most writers put into the memory lists as well.</summary>
    public void AddStack(ulong address, ulong size, ulong fileOffset)
    {
        ulong missing = _missing;
        Add(address, size, fileOffset);
        _missing = missing;
    }

    /// <summary>What was asked for, is listed and lies behind the end of the file; null where that has not happened.</summary>
    public Gap? Lost => _lost is { } address
        ? new Gap("memory that was needed", $"the memory at {new Address(address)} lies behind the end of the file: the dump is cut off") { IsLoss = true }
        : null;

    /// <summary>Must be called once, after the last range.</summary>
    public void Complete(List<Gap> gaps)
    {
        if (_missing > 0)
        {
            gaps.Add(new Gap("memory", $"the dump is cut off: {_missing} bytes of the memory that it lists are missing"));
        }

        SortAndTrim();
        _ranges.TrimExcess();
    }

    /// <summary>Copies up to the first byte that no range has.</summary>
    public int Read(ulong address, Span<byte> buffer)
    {
        address &= _addressMask;
        int copied = 0;
        for (int i = IndexOf(address); i < _ranges.Count && copied < buffer.Length; i++)
        {
            Range range = _ranges[i];
            ulong next = unchecked(address + (ulong)copied);
            if (next < range.Start || next >= range.End)
            {
                break;
            }

            int wanted = (int)Math.Min(range.End - next, (ulong)(buffer.Length - copied));
            int read = _file.Read(range.FileOffset + (next - range.Start), buffer.Slice(copied, wanted));
            copied += read;
            if (read < wanted)
            {
                break;
            }
        }

        if (copied < buffer.Length && buffer.Length < ReadAhead)
        {
            NoteIfCutOff(unchecked(address + (ulong)copied));
        }

        return copied;
    }

    /// <summary>Adds a range whose bytes lie at an offset of the file; what lies beyond the file's end is counted as missing.</summary>
    private void Add(ulong address, ulong size, ulong fileOffset)
    {
        address &= _addressMask;
        size = Math.Min(size, _addressMask - address);
        ulong inFile = fileOffset < _file.Length ? Math.Min(size, _file.Length - fileOffset) : 0;
        _missing = unchecked(_missing + (size - inFile));
        if (inFile < size && _cutOff.Count < MostCutOff)
        {
            _cutOff.Add((address + inFile, address + size));
        }

        if (inFile == 0)
        {
            return;
        }

        if (_ranges.Count > 0 && _ranges[^1] is Range last && last.End == address && last.FileOffset + (last.End - last.Start) == fileOffset)
        {
            _ranges[^1] = last with { End = address + inFile };
        }
        else
        {
            _ranges.Add(new Range(address, address + inFile, fileOffset));
        }
    }

    private void NoteIfCutOff(ulong address)
    {
        if (_lost is null && _cutOff.Exists(range => address >= range.Start && address < range.End))
        {
            _lost = address;
        }
    }

    private bool AddMemory64List(MinidumpDirectory directory, CaptureLimits limits, List<Gap> gaps)
    {
        const int HeadSize = 16;
        Span<byte> record = stackalloc byte[DescriptorSize];
        if (!directory.TryGet(MinidumpStreamType.Memory64List, out MinidumpStream stream)
            || stream.Size < HeadSize
            || !_file.TryRead(stream.Offset, record))
        {
            return false;
        }

        ulong stated = BinaryPrimitives.ReadUInt64LittleEndian(record);
        ulong fileOffset = BinaryPrimitives.ReadUInt64LittleEndian(record[8..]);
        MinidumpList list = MinidumpList.Create(
            _file, stream, HeadSize, DescriptorSize, stated, limits.MemoryRanges, "memory ranges", isJudged: true, gaps);
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            ulong size = BinaryPrimitives.ReadUInt64LittleEndian(record[8..]);
            Add(BinaryPrimitives.ReadUInt64LittleEndian(record), size, fileOffset);
            ulong next = unchecked(fileOffset + size);
            fileOffset = next < fileOffset ? ulong.MaxValue : next;
        }

        return true;
    }

    private bool AddMemoryList(MinidumpDirectory directory, CaptureLimits limits, List<Gap> gaps)
    {
        if (!directory.TryGet(MinidumpStreamType.MemoryList, out MinidumpStream stream))
        {
            return false;
        }

        Span<byte> record = stackalloc byte[DescriptorSize];
        MinidumpList list = MinidumpList.Read(_file, stream, DescriptorSize, limits.MemoryRanges, "memory ranges", isJudged: true, gaps);
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            Add(
                BinaryPrimitives.ReadUInt64LittleEndian(record),
                BinaryPrimitives.ReadUInt32LittleEndian(record[8..]),
                BinaryPrimitives.ReadUInt32LittleEndian(record[12..]));
        }

        return true;
    }

    private void SortAndTrim()
    {
        bool isOrdered = true;
        for (int i = 1; i < _ranges.Count && isOrdered; i++)
        {
            isOrdered = _ranges[i - 1].End <= _ranges[i].Start;
        }

        if (isOrdered)
        {
            return;
        }

        _ranges.Sort(static (a, b) => a.Start != b.Start ? a.Start.CompareTo(b.Start) : a.FileOffset.CompareTo(b.FileOffset));
        int kept = 0;
        ulong end = 0;
        for (int i = 0; i < _ranges.Count; i++)
        {
            Range range = _ranges[i];
            if (range.Start < end)
            {
                ulong covered = Math.Min(end, range.End) - range.Start;
                range = new Range(range.Start + covered, range.End, range.FileOffset + covered);
            }

            if (range.Start < range.End)
            {
                _ranges[kept++] = range;
                end = range.End;
            }
        }

        _ranges.RemoveRange(kept, _ranges.Count - kept);
    }

    /// <summary>The first range that ends behind the address.</summary>
    private int IndexOf(ulong address)
    {
        int low = 0;
        int high = _ranges.Count;
        while (low < high)
        {
            int middle = low + ((high - low) / 2);
            if (_ranges[middle].End <= address)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private readonly record struct Range(ulong Start, ulong End, ulong FileOffset);
}
