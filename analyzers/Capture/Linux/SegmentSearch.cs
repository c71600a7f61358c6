namespace HangTriage.Capture.Linux;

/// <summary>Finds segments among those of a core, which are ordered by address.</summary>
internal static class SegmentSearch
{
    /// <summary>The segment whose contents in the file have the address; null where none has.</summary>
    public static ElfSegment? Find(this IReadOnlyList<ElfSegment> segments, ulong address)
    {
        int index = segments.IndexAfter(address) - 1;
        return index >= 0 && address - segments[index].Address < segments[index].FileSize ? segments[index] : null;
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
