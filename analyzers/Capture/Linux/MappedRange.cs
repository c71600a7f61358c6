using System.Text;

namespace HangTriage.Capture.Linux;

/// <summary>A range of memory that is mapped from a file, as a core's NT_FILE note lists it.</summary>
/// <param name="Start">Its first byte.</param>
/// <param name="End">The byte after its last.</param>
/// <param name="Path">The file; what the process had mapped and then deleted ends with " (deleted)".</param>
/// <param name="FileOffset">Where the range starts in the file, in bytes.</param>
internal sealed record MappedRange(ulong Start, ulong End, string Path, ulong FileOffset)
{
    /// <summary>In bytes.</summary>
    public ulong Length => End > Start ? End - Start : 0;

    /// <summary>The note: a count, the page size, start, end and page offset of each range, then the paths, each with a zero.</summary>
    public static IReadOnlyList<MappedRange> Parse(ReadOnlySpan<byte> note, bool is64Bit)
    {
        int word = is64Bit ? 8 : 4;
        if (note.Length < 2 * word)
        {
            return [];
        }

        ulong count = Word(note, 0, is64Bit);
        ulong pageSize = Word(note, word, is64Bit);
        if (count > (ulong)((note.Length - (2 * word)) / (3 * word)))
        {
            return [];
        }

        MappedRange[] ranges = new MappedRange[count];
        ReadOnlySpan<byte> paths = note[((2 + (3 * (int)count)) * word)..];
        for (int i = 0; i < ranges.Length; i++)
        {
            int entry = (2 + (3 * i)) * word;
            int end = paths.IndexOf((byte)0);
            if (end < 0)
            {
                return ranges[..i];
            }

            ranges[i] = new MappedRange(
                Word(note, entry, is64Bit),
                Word(note, entry + word, is64Bit),
                Encoding.UTF8.GetString(paths[..end]),
                unchecked(Word(note, entry + (2 * word), is64Bit) * pageSize));
            paths = paths[(end + 1)..];
        }

        return ranges;
    }

    /// <summary>The bytes from <paramref name="start"/> on that one file covers without a hole; 0 where none does.</summary>
    public static ulong Extent(IReadOnlyList<MappedRange> ranges, ulong start)
    {
        ulong end = start;
        string? path = null;
        foreach (MappedRange range in ranges.Where(range => range.Start >= start).OrderBy(range => range.Start))
        {
            if (range.Start != end || range.End <= range.Start || (path is not null && range.Path != path))
            {
                break;
            }

            path = range.Path;
            end = range.End;
        }

        return end - start;
    }

    private static ulong Word(ReadOnlySpan<byte> bytes, int at, bool is64Bit) => is64Bit ? ElfFields.U64(bytes, at) : ElfFields.U32(bytes, at);
}
