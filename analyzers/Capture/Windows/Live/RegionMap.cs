using HangTriage.Capture.Live;

namespace HangTriage.Capture.Windows.Live;

/// <summary>The memory of a process that holds something, by address.</summary>
internal sealed unsafe class RegionMap
{
    private const uint Committed = 0x1000;

    // What comes before is never mapped, what comes behind is the kernel's.
    private const ulong Highest = 0x7FFF_FFFF_0000;

    private readonly List<MemoryRegion> _regions;

    /// <param name="regions">By address.</param>
    public RegionMap(List<MemoryRegion> regions) => _regions = regions;

    public IReadOnlyList<MemoryRegion> All => _regions;

    /// <summary>The list was cut at the limit.</summary>
    public bool IsCut { get; private set; }

    /// <summary>There was no time to list all of it.</summary>
    public bool IsLate { get; private set; }

    /// <param name="process">A handle that may query it.</param>
    /// <param name="limit">As many regions as are listed.</param>
    /// <param name="clock">How long it may take; null for as long as it takes.</param>
    public static RegionMap Of(nint process, int limit, StopClock? clock = null)
    {
        RegionMap map = new([]);
        WindowsCalls.MemoryInformation information;
        for (ulong at = 0; at < Highest && WindowsCalls.VirtualQueryEx(process, at, &information, (nuint)sizeof(WindowsCalls.MemoryInformation)) != 0;)
        {
            ulong end = unchecked(information.Start + information.Size);
            if (end <= at)
            {
                break;
            }

            map.IsCut = map._regions.Count >= limit;
            map.IsLate = clock?.IsTimeUp == true;
            if (map.IsCut || map.IsLate)
            {
                break;
            }

            if (information.State == Committed)
            {
                map._regions.Add(new MemoryRegion(information.Start, end, information.AllocationStart, information.Protection, information.Kind));
            }

            at = end;
        }

        return map;
    }

    /// <summary>What this one has that an earlier one had not, or had otherwise.</summary>
    public IEnumerable<MemoryRegion> Since(RegionMap earlier)
    {
        foreach (MemoryRegion region in _regions)
        {
            for (ulong at = region.Start; at < region.End;)
            {
                int index = earlier.IndexOf(at);
                MemoryRegion? known = index < earlier._regions.Count && earlier._regions[index].Start <= at ? earlier._regions[index] : null;
                ulong next = known?.End ?? (index < earlier._regions.Count ? earlier._regions[index].Start : region.End);
                ulong end = Math.Min(next, region.End);
                if (known is null || (region.IsWritable && !known.IsWritable))
                {
                    yield return region with { Start = at, End = end };
                }

                at = end;
            }
        }
    }

    /// <summary>This one, and behind where it was cut off the earlier one.</summary>
    public RegionMap Or(RegionMap earlier)
    {
        ulong end = _regions.Count > 0 ? _regions[^1].End : 0;
        return new RegionMap([.. _regions, .. earlier._regions.Where(region => region.Start >= end)]) { IsCut = IsCut || earlier.IsCut, IsLate = IsLate };
    }

    /// <summary>Null where the address holds nothing.</summary>
    public MemoryRegion? Find(ulong address)
    {
        int index = IndexOf(address);
        return index < _regions.Count && _regions[index].Start <= address ? _regions[index] : null;
    }

    /// <summary>The first region that ends behind the address.</summary>
    private int IndexOf(ulong address)
    {
        int low = 0;
        int high = _regions.Count;
        while (low < high)
        {
            int middle = (low + high) >> 1;
            (low, high) = _regions[middle].End <= address ? (middle + 1, high) : (low, middle);
        }

        return low;
    }
}
