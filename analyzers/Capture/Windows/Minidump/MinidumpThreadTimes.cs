using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The ThreadInfoList stream (MINIDUMP_THREAD_INFO_LIST): times and start address of each thread.</summary>
internal sealed class MinidumpThreadTimes
{
    private const int HeadSize = 12;
    private const int RecordSize = 64;
    private const uint ErrorThread = 0x1;
    private const uint InvalidInfo = 0x8;

    private readonly Dictionary<uint, Entry> _entries = [];
    private readonly string _whyMissing;

    private MinidumpThreadTimes(string whyMissing) => _whyMissing = whyMissing;

    public static MinidumpThreadTimes Read(MappedFile file, MinidumpDirectory directory, CaptureLimits limits, List<Gap> gaps)
    {
        Span<byte> record = stackalloc byte[RecordSize];
        if (!directory.TryGet(MinidumpStreamType.ThreadInfoList, out MinidumpStream stream) || !file.TryRead(stream.Offset, record[..HeadSize]))
        {
            return new MinidumpThreadTimes("the dump has no ThreadInfoList stream; a dump with thread information (0x1000) has");
        }

        uint headSize = BinaryPrimitives.ReadUInt32LittleEndian(record);
        uint recordSize = BinaryPrimitives.ReadUInt32LittleEndian(record[4..]);
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        if (headSize < HeadSize || recordSize is < RecordSize or > 4096)
        {
            return new MinidumpThreadTimes($"the dump's ThreadInfoList has a head of {headSize} and entries of {recordSize} bytes");
        }

        MinidumpThreadTimes times = new("the dump has no entry for this thread");
        MinidumpList list = MinidumpList.Create(file, stream, headSize, (int)recordSize, count, limits.Threads, "thread times", isJudged: false, gaps);
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            times.Add(record);
        }

        return times;
    }

    public Known<CpuTime> Cpu(uint thread)
    {
        const string What = "processor time";
        return !TryGet(thread, out Entry entry, out string why)
            ? Known.Unknown<CpuTime>(What, why)
            : MinidumpTime.TryDuration(entry.User, out TimeSpan user) && MinidumpTime.TryDuration(entry.Kernel, out TimeSpan kernel)
                ? Known.Read(new CpuTime(user, kernel))
                : Known.Unknown<CpuTime>(What, $"the dump states 0x{entry.User:x} and 0x{entry.Kernel:x} units of 100 ns");
    }

    public Known<DateTimeOffset> StartedAt(uint thread)
    {
        const string What = "start of the thread";
        return TryGet(thread, out Entry entry, out string why)
            ? MinidumpTime.FromFileTime(entry.Created, What)
            : Known.Unknown<DateTimeOffset>(What, why);
    }

    public Known<Address> StartAddress(uint thread)
    {
        const string What = "start address";
        return !TryGet(thread, out Entry entry, out string why)
            ? Known.Unknown<Address>(What, why)
            : entry.StartAddress == 0 ? Known.Unknown<Address>(What, "the dump does not say") : Known.Read(new Address(entry.StartAddress));
    }

    private bool TryGet(uint thread, out Entry entry, out string why)
    {
        bool isListed = _entries.TryGetValue(thread, out entry);
        bool isValid = isListed && (entry.Flags & (ErrorThread | InvalidInfo)) == 0;
        why = !isListed ? _whyMissing : isValid ? "" : "the writer of the dump could not ask the thread";
        return isValid;
    }

    private void Add(ReadOnlySpan<byte> record) => _entries.TryAdd(
        BinaryPrimitives.ReadUInt32LittleEndian(record),
        new Entry(
            BinaryPrimitives.ReadUInt32LittleEndian(record[4..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[16..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[32..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[40..]),
            BinaryPrimitives.ReadUInt64LittleEndian(record[48..])));

    /// <summary>Times in 100 ns units, <paramref name="Created"/> since 1601.</summary>
    private readonly record struct Entry(uint Flags, ulong Created, ulong Kernel, ulong User, ulong StartAddress);
}
