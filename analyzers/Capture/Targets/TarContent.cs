using System.Formats.Tar;
using HangTriage.Facts;

namespace HangTriage.Capture.Targets;

/// <summary>
/// The one file in a tar archive. Where the archive would have it put and as whose is of no matter, and links, folders and devices in it
/// are passed over.
/// </summary>
internal static class TarContent
{
    private const int HeaderSize = 512;
    private const int ChecksumOffset = 148;
    private const int ChecksumSize = 8;

    /// <summary>A header of tar, of whatever kind, has the sum of its bytes, which is as good as a magic number.</summary>
    public static bool Is(ReadOnlySpan<byte> head)
    {
        if (head.Length < HeaderSize || head[0] == 0)
        {
            return false;
        }

        int sum = ChecksumSize * ' ';
        for (int i = 0; i < HeaderSize; i++)
        {
            sum += i is >= ChecksumOffset and < ChecksumOffset + ChecksumSize ? 0 : head[i];
        }

        return Octal(head.Slice(ChecksumOffset, ChecksumSize)) == sum;
    }

    /// <param name="archive">From its first header.</param>
    /// <param name="copy">Copies the file's content, and returns how many bytes it has.</param>
    /// <param name="limit">In bytes.</param>
    /// <returns>What is doubtful about the file; null where nothing is.</returns>
    /// <exception cref="TargetOpenException">It holds not exactly one file, or one that only tar unpacks.</exception>
    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static Gap? CopySingle(TarSource archive, Func<Stream, long> copy, long limit)
    {
        using TarReader reader = new(archive, leaveOpen: true);
        bool isFound = false;
        while (Next(reader, archive) is { } entry)
        {
            if (IsSparse(entry))
            {
                throw new TargetOpenException("the tar archive holds a sparse file, which only tar unpacks; unpack it first");
            }

            if (entry.EntryType is not (TarEntryType.RegularFile or TarEntryType.V7RegularFile or TarEntryType.ContiguousFile))
            {
                continue;
            }

            if (isFound)
            {
                throw new TargetOpenException("the tar archive holds more than one file, expected exactly one");
            }

            isFound = true;
            archive.Allow(Math.Min(entry.Length, limit));
            long size = entry.DataStream is { } content ? copy(content) : 0;
            if (size < entry.Length)
            {
                return new Gap("compressed file", $"the archive is cut off: it has {size} of the file's {entry.Length} bytes");
            }
        }

        return isFound ? null : throw new TargetOpenException("the tar archive holds no file, expected exactly one");
    }

    private static TarEntry? Next(TarReader reader, TarSource archive)
    {
        archive.Allow(0);
        try
        {
            return reader.GetNextEntry();
        }
        catch (Exception e) when (e is InvalidOperationException or ArgumentException or FormatException or OverflowException)
        {
            throw new InvalidDataException("a header of the archive makes no sense", e);
        }
    }

    // Holes are left out of such a file, and a map of them is put in front.
    private static bool IsSparse(TarEntry entry)
        => entry.EntryType == TarEntryType.SparseFile
            || (entry as PaxTarEntry)?.ExtendedAttributes.Keys.Any(key => key.StartsWith("GNU.sparse.", StringComparison.Ordinal)) == true;

    private static int Octal(ReadOnlySpan<byte> digits)
    {
        int value = 0;
        foreach (byte digit in digits.Trim(" \0"u8))
        {
            if (digit is < (byte)'0' or > (byte)'7')
            {
                return -1;
            }

            value = (value * 8) + (digit - '0');
        }

        return value;
    }
}
