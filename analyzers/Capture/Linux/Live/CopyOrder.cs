using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Copies a process's writable memory in the order in which it matters: where the time ends, the heap's bulk is what is left out.</summary>
/// <param name="process">Whose.</param>
/// <param name="copy">Gets it.</param>
/// <param name="clock">How long it may take.</param>
internal sealed class CopyOrder(int process, MemoryCopy copy, StopClock clock)
{
    // The stack of a first thread has 8 MB by default, that of a thread of .NET 1.5 MB.
    private const ulong LargestStack = 16UL << 20;
    private const ulong LargestPart = 64UL << 20;

    private const int Stack = 0;
    private const int Small = 1;
    private const int Large = 2;
    private const int Device = 3;

    // The bulk of a heap is read later, if at all; stacks and the runtime's own data are needed for every sample.
    private const int LastThatMatters = Small;

    private readonly List<SystemCalls.MemoryRange> _leftOut = [];

    /// <summary>What held something and was not copied, in the order of addresses.</summary>
    public IReadOnlyList<SystemCalls.MemoryRange> LeftOut => _leftOut;

    /// <param name="maps">The process's memory.</param>
    /// <param name="pages">Says what of it holds something.</param>
    /// <param name="stacks">The stack pointers of its threads.</param>
    public void Copy(MemoryMaps maps, PageTable pages, IReadOnlyList<ulong> stacks)
    {
        HashSet<MemoryMap> withStack = [.. stacks.Select(maps.Find).OfType<MemoryMap>()];
        List<Part> parts = [];
        foreach (MemoryMap map in maps.All.Where(map => map is { IsWritable: true, IsReadable: true }))
        {
            List<SystemCalls.MemoryRange> filled = [];
            ulong size = pages.AddFilled(map, filled, clock.Extended);
            parts.Add(new Part(RankOf(map, size, withStack), size, filled));
        }

        foreach (Part part in parts.OrderBy(part => part.Rank).ThenBy(part => part.Size))
        {
            copy.Add(process, part.Filled, part.Rank <= LastThatMatters ? clock.Extended : clock, _leftOut);
        }

        _leftOut.Sort((one, other) => one.Start.CompareTo(other.Start));
        copy.Close();
    }

    private static int RankOf(MemoryMap map, ulong size, HashSet<MemoryMap> withStack)
        => size <= LargestStack && withStack.Contains(map) ? Stack
            : map.IsShared && map.Path.StartsWith("/dev/", StringComparison.Ordinal) ? Device
            : size <= LargestPart ? Small
            : Large;

    private sealed record Part(int Rank, ulong Size, List<SystemCalls.MemoryRange> Filled);
}
