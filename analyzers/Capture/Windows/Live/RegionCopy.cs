using HangTriage.Capture.Live;

namespace HangTriage.Capture.Windows.Live;

/// <summary>Copies a process's writable memory in the order in which it matters: where the time ends, the heap's bulk is what is left out.</summary>
/// <param name="process">A handle that may read it.</param>
/// <param name="copy">Gets it.</param>
/// <param name="clock">How long it may take.</param>
internal sealed unsafe class RegionCopy(nint process, CopyBuffer copy, StopClock clock)
{
    // A piece takes about a millisecond, so that the time is looked at often enough.
    private const ulong PieceSize = 4UL << 20;
    private const ulong LargestStack = 64UL << 20;
    private const ulong LargestPart = 64UL << 20;

    private const int Stack = 0;
    private const int Small = 1;
    private const int Large = 2;
    private const int Shared = 3;

    // The bulk of a heap is read later, if at all; stacks and the runtime's own data are needed for every sample.
    private const int LastThatMatters = Small;

    private readonly List<AddressRange> _leftOut = [];

    /// <summary>What there was no time or room for, in the order of addresses.</summary>
    public IReadOnlyList<AddressRange> LeftOut => _leftOut;

    /// <param name="regions">Of the process's memory, none twice.</param>
    /// <param name="stacks">Those with the stacks of its threads.</param>
    public void Copy(IEnumerable<MemoryRegion> regions, IReadOnlySet<MemoryRegion> stacks)
    {
        foreach (IGrouping<int, MemoryRegion> part in regions.Where(region => region.IsWritable).GroupBy(region => RankOf(region, stacks)).OrderBy(part => part.Key))
        {
            StopClock limit = part.Key <= LastThatMatters ? clock.Extended : clock;
            foreach (MemoryRegion region in part.OrderBy(region => region.Size))
            {
                Copy(region, limit);
            }
        }
    }

    /// <summary>Nothing more is copied; from now on the copy can be read.</summary>
    public void Close()
    {
        _leftOut.Sort((one, other) => one.Start.CompareTo(other.Start));
        copy.Close();
    }

    private static int RankOf(MemoryRegion region, IReadOnlySet<MemoryRegion> withStack)
        => region.Size <= LargestStack && withStack.Contains(region) ? Stack
            : region.IsMapped ? Shared
            : region.Size <= LargestPart ? Small
            : Large;

    private void Copy(MemoryRegion region, StopClock limit)
    {
        for (ulong at = region.Start; at < region.End;)
        {
            ulong wanted = Math.Min(Math.Min(PieceSize, region.End - at), copy.Room);
            if (wanted == 0 || limit.IsTimeUp)
            {
                _leftOut.Add(new AddressRange(at, region.End));
                return;
            }

            nuint read = 0;
            _ = WindowsCalls.ReadProcessMemory(process, at, copy.Next, (nuint)wanted, &read);
            copy.Add(at, read);

            // What was freed meanwhile, or cannot be read at all, is passed over.
            at += wanted;
        }
    }
}
