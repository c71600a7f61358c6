namespace HangTriage.Capture.Linux;

/// <summary>Finds and reads segments among those of a core, which are ordered by address.</summary>
internal static class SegmentSearch
{
    /// <summary>The segment whose contents in the file have the address; null where none has.</summary>
    public static ElfSegment? Find(this IReadOnlyList<ElfSegment> segments, ulong address)
    {
        int index = segments.IndexAfter(address) - 1;
        return index >= 0 && address - segments[index].Address < segments[index].FileSize ? segments[index] : null;
    }

    /// <summary>Reads across segments that follow each other without a gap.</summary>
    /// <param name="segments">What the core holds.</param>
    /// <param name="address">Where in the process.</param>
    /// <param name="buffer">Takes the bytes.</param>
    /// <param name="source">What the pieces are read from.</param>
    /// <param name="piece">Reads within one segment.</param>
    /// <returns>Bytes read: short where the core does not go on.</returns>
    public static int Read<T>(this IReadOnlyList<ElfSegment> segments, ulong address, Span<byte> buffer, T source, SegmentRead<T> piece)
    {
        int read = 0;
        while (read < buffer.Length && segments.Find(unchecked(address + (uint)read)) is { } segment)
        {
            ulong offset = unchecked(address + (uint)read) - segment.Address;
            int wanted = (int)Math.Min((ulong)(buffer.Length - read), segment.FileSize - offset);
            int more = piece(source, segment, offset, buffer.Slice(read, wanted));
            read += more;
            if (more < wanted)
            {
                break;
            }
        }

        return read;
    }

    /// <summary>The first segment that starts after the address.</summary>
    public static int IndexAfter(this IReadOnlyList<ElfSegment> segments, ulong address)
    {
        int low = 0;
        int high = segments.Count;
        while (low < high)
        {
            int middle = (low + high) >> 1;
            if (segments[middle].Address <= address)
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
}
