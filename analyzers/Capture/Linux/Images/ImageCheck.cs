using System.Runtime.InteropServices;

namespace HangTriage.Capture.Linux.Images;

/// <summary>
/// Compares a file with what a core holds of it. Whoever writes a core without mapped files still writes the first page of
/// each ELF image, which has its build id, and every range that the process wrote to: the data of a compiled .NET assembly,
/// where the loader has changed one word of ten.
/// </summary>
internal static class ImageCheck
{
    private const int LeastWords = 64;
    private const int MostWords = 1 << 20;
    private const int BlockSize = 4096;

    private static ReadOnlySpan<byte> ElfMark => "\u007fELF"u8;

    private static ReadOnlySpan<byte> PortableExecutableMark => "MZ"u8;

    /// <summary>
    /// Whether it can be the file that was mapped: an ELF image is, if so; for an assembly nothing speaks against it, and
    /// <see cref="TokenCheck"/> has the last word.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="ranges">What was mapped from it.</param>
    /// <param name="memory">What the core holds.</param>
    public static bool Fits(ImageFile file, IReadOnlyList<MappedRange> ranges, CoreMemory memory)
    {
        Span<byte> mark = stackalloc byte[4];
        if (file.Read(0, mark) != mark.Length || ranges.Any(range => range.FileOffset > file.MappedLength || range.End - range.Start > file.MappedLength - range.FileOffset))
        {
            return false;
        }

        return mark.SequenceEqual(ElfMark) ? HasItsBuildId(file, ranges, memory)
            : mark.StartsWith(PortableExecutableMark) && HasItsData(file, ranges, memory);
    }

    private static bool HasItsBuildId(ImageFile file, IReadOnlyList<MappedRange> ranges, CoreMemory memory)
    {
        foreach (MappedRange range in ranges.Where(range => range.FileOffset == 0))
        {
            byte[] head = new byte[Math.Min(range.End - range.Start, BlockSize)];
            if (memory.Read(range.Start, head) == head.Length && ElfBuildId.Of(new MemoryStream(head)) is { Length: > 0 } mapped)
            {
                return ElfBuildId.Of(file.Path) is { } own && own.AsSpan().SequenceEqual(mapped);
            }
        }

        return false;
    }

    private static bool HasItsData(ImageFile file, IReadOnlyList<MappedRange> ranges, CoreMemory memory)
    {
        int compared = 0;
        int equal = 0;
        byte[] mapped = new byte[BlockSize];
        byte[] own = new byte[BlockSize];
        foreach (MappedRange range in ranges)
        {
            for (ulong at = range.Start; at < range.End && compared < MostWords; at += BlockSize)
            {
                int size = (int)Math.Min(BlockSize, range.End - at);
                if (memory.Read(at, mapped.AsSpan(0, size)) == size && file.Read(range.FileOffset + (at - range.Start), own.AsSpan(0, size)) == size)
                {
                    Count(MemoryMarshal.Cast<byte, ulong>(mapped.AsSpan(0, size)), MemoryMarshal.Cast<byte, ulong>(own.AsSpan(0, size)));
                }
            }
        }

        return compared < LeastWords || equal >= compared / 4 * 3;

        void Count(ReadOnlySpan<ulong> inMemory, ReadOnlySpan<ulong> inFile)
        {
            for (int i = 0; i < inFile.Length; i++)
            {
                // Two files that have nothing in common still have zeros.
                if (inFile[i] != 0)
                {
                    compared++;
                    equal += inFile[i] == inMemory[i] ? 1 : 0;
                }
            }
        }
    }
}
