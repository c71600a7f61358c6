using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>
/// The records of a stream that starts with a 32-bit count, cut to what the stream, the file and the limit allow.
/// Some writers (Breakpad among them) pad the count to 8 bytes; the stream's size tells.
/// </summary>
internal readonly struct MinidumpList
{
    private readonly MappedFile _file;
    private readonly ulong _first;
    private readonly ulong _recordSize;

    private MinidumpList(MappedFile file, ulong first, ulong recordSize, int count)
    {
        _file = file;
        _first = first;
        _recordSize = recordSize;
        Count = count;
    }

    public int Count { get; }

    /// <param name="file">The dump.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="recordSize">Bytes of a record.</param>
    /// <param name="limit">How many are read at most.</param>
    /// <param name="what">What the records are, for gaps: "threads".</param>
    /// <param name="isJudged">Judging reads them: where some are missing, that is a loss.</param>
    /// <param name="gaps">Takes what is missing.</param>
    public static MinidumpList Read(MappedFile file, MinidumpStream stream, int recordSize, int limit, string what, bool isJudged, List<Gap> gaps)
    {
        Span<byte> head = stackalloc byte[sizeof(uint)];
        if (stream.Size < sizeof(uint) || !file.TryRead(stream.Offset, head))
        {
            gaps.Add(new Gap(what, "the dump is cut off before their list") { IsLoss = isJudged });
            return default;
        }

        uint stated = BinaryPrimitives.ReadUInt32LittleEndian(head);
        ulong headSize = stream.Size == 8 + ((ulong)stated * (ulong)recordSize) ? 8UL : sizeof(uint);
        return Create(file, stream, headSize, recordSize, stated, limit, what, isJudged, gaps);
    }

    public static MinidumpList Create(
        MappedFile file, MinidumpStream stream, ulong headSize, int recordSize, ulong stated, int limit, string what, bool isJudged, List<Gap> gaps)
    {
        ulong first = stream.Offset + headSize;
        ulong inFile = file.Length > first ? file.Length - first : 0;
        ulong inStream = stream.Size > headSize ? stream.Size - headSize : 0;
        ulong fits = Math.Min(inFile, inStream) / (ulong)recordSize;
        int count = (int)Math.Min(Math.Min(stated, fits), (ulong)limit);
        if ((ulong)count < stated)
        {
            string why = fits < stated
                ? $"the dump states {stated} and has room for {fits}"
                : $"the dump states {stated}; more than {limit} are not read";
            gaps.Add(new Gap(what, why) { IsLoss = isJudged });
        }

        return new MinidumpList(file, first, (ulong)recordSize, count);
    }

    public bool TryRead(int index, Span<byte> record) => _file.TryRead(_first + ((ulong)index * _recordSize), record);
}
