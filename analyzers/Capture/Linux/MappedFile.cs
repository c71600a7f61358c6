using System.Text;

namespace HangTriage.Capture.Linux;

/// <summary>A range of memory that is mapped from a file, as a core's NT_FILE note lists it.</summary>
internal sealed record MappedFile(ulong Start, ulong End, string Path)
{
    /// <summary>The note: a count, the page size, start, end and page offset of each range, then the paths, each with a zero.</summary>
    public static IReadOnlyList<MappedFile> Parse(ReadOnlySpan<byte> note, bool is64Bit)
    {
        int word = is64Bit ? 8 : 4;
        if (note.Length < 2 * word)
        {
            return [];
        }

        ulong count = Word(note, 0, is64Bit);
        if (count > (ulong)((note.Length - (2 * word)) / (3 * word)))
        {
            return [];
        }

        MappedFile[] files = new MappedFile[count];
        ReadOnlySpan<byte> paths = note[((2 + (3 * (int)count)) * word)..];
        for (int i = 0; i < files.Length; i++)
        {
            int entry = (2 + (3 * i)) * word;
            int end = paths.IndexOf((byte)0);
            if (end < 0)
            {
                return files[..i];
            }

            files[i] = new MappedFile(Word(note, entry, is64Bit), Word(note, entry + word, is64Bit), Encoding.UTF8.GetString(paths[..end]));
            paths = paths[(end + 1)..];
        }

        return files;
    }

    /// <summary>The bytes from <paramref name="start"/> on that one file covers without a hole; 0 where none does.</summary>
    public static ulong Extent(IReadOnlyList<MappedFile> files, ulong start)
    {
        ulong end = start;
        string? path = null;
        foreach (MappedFile file in files.Where(file => file.Start >= start).OrderBy(file => file.Start))
        {
            if (file.Start != end || file.End <= file.Start || (path is not null && file.Path != path))
            {
                break;
            }

            path = file.Path;
            end = file.End;
        }

        return end - start;
    }

    private static ulong Word(ReadOnlySpan<byte> bytes, int at, bool is64Bit) => is64Bit ? ElfFields.U64(bytes, at) : ElfFields.U32(bytes, at);
}
