using System.Globalization;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Lists the async methods that are suspended: its visitors find their boxes in the one walk over the heap.</summary>
internal sealed class FlowsReader
{
    private const int MostAbandoned = 32;

    public const string What = "suspended async methods";

    private readonly ClrRuntime _runtime;
    private readonly CaptureContext _context;
    private readonly BoxVisitor _boxes;
    private readonly SemaphoreNodes _semaphores;
    private readonly ChannelOperations _channels;
    private readonly PermitVisitor _permits;

    public FlowsReader(ClrRuntime runtime, CaptureContext context)
    {
        _runtime = runtime;
        _context = context;
        _boxes = new BoxVisitor(context.Limits.Flows);
        _semaphores = new SemaphoreNodes(context);
        _channels = new ChannelOperations(context);
        _permits = new PermitVisitor(runtime.Heap);
    }

    /// <summary>What was found; null before <see cref="Read"/>, and where that failed.</summary>
    public FlowInventory? Inventory { get; private set; }

    public IReadOnlyList<IHeapVisitor> Visitors => [_boxes, _semaphores, _channels, _permits];

    /// <summary>The groups, once they were read.</summary>
    public IReadOnlyList<FlowGrouping> Groups { get; private set; } = [];

    /// <summary>Why the heap is not walked for flows alone; null where it is.</summary>
    public static string? WhyNot(ClrRuntime runtime, CaptureContext context)
    {
        ulong bytes = runtime.Heap.Segments.Aggregate(0UL, (sum, segment) => unchecked(sum + segment.ObjectRange.Length));
        return bytes <= (ulong)context.Limits.FlowHeapBytes ? null
            : string.Create(
                CultureInfo.InvariantCulture,
                $"the heap has {bytes >> 20} MB, more than the {context.Limits.FlowHeapBytes >> 20} MB that are walked unasked; --deep walks it all");
    }

    /// <summary>To be called when the walk has ended.</summary>
    /// <param name="roots">The stacks and handles.</param>
    /// <param name="isWhole">All of the heap was walked.</param>
    /// <param name="sources">Finds lines of source.</param>
    /// <param name="gaps">Gains what could not be read.</param>
    public FlowsFacts Read(Lazy<RuntimeRoots> roots, bool isWhole, SourceLines sources, List<Gap> gaps)
    {
        _context.Progress?.Report(What);
        TargetWords words = new(_runtime);
        _semaphores.Follow(words);
        _channels.Follow(words);
        OperationWaiters waiters = new(() => roots.Value.Stacks, _context);
        FlowBoxes boxes = new(_boxes.Boxes, words, waiters, _context);
        Resumptions resumptions = new(_runtime, () => roots.Value.Stacks, _context);
        AwaitedResolver resolver = new(words, boxes, _semaphores, _channels, resumptions);
        FlowBox[] suspended = [.. boxes.All.Where(box => box.State >= 0)];
        FlowChains chains = new(boxes, _runtime.Heap);
        IReadOnlyList<RootOf?> kept = suspended.Length == 0 ? []
            : FlowRoots.Of(_runtime, roots.Value, suspended, resolver, isWhole && _boxes.Left == 0, _context);
        kept = UnreachedRequests.Keep(suspended, kept, chains);
        IReadOnlyList<FlowGrouping> groups = Groups = FlowGrouping.Of(suspended, kept, resolver, chains, _context);
        Inventory = new FlowInventory(
            boxes, resolver, [.. groups.Take(_context.Limits.FlowGroups)], chains, _permits, isWhole && _boxes.Left == 0);
        SemaphoreCircles circles = new(_runtime.Heap, boxes, chains, resolver, groups);
        FlowDescriber describer = new(_runtime, boxes, chains, circles, _permits, Inventory.SampleOfInnermost, waiters, sources, _context);
        FlowGroup[] listed = [.. groups.Take(_context.Limits.FlowGroups).Select(describer.Describe)];
        if (describer.Gap is { } gap)
        {
            gaps.Add(gap);
        }

        if (_boxes.Left > 0)
        {
            gaps.Add(new Gap(What, string.Create(CultureInfo.InvariantCulture, $"{_boxes.Left} are more than the limit of {_context.Limits.Flows}, and were left out")) { IsLoss = true });
        }

        return new FlowsFacts
        {
            Groups = listed,
            Suspended = groups.Sum(group => group.Count),
            Omitted = groups.Skip(listed.Length).Sum(group => group.Count),
            Unreachable = kept.Count(root => root is null),
            Abandoned = AbandonedOf(suspended, kept),
            Unreadable = _boxes.Unreadable + boxes.Unreadable,
            HeapMark = isWhole ? HeapMark.Of(_runtime.Heap) : null,
        };
    }

    private IReadOnlyList<string>? AbandonedOf(FlowBox[] suspended, IReadOnlyList<RootOf?> kept)
    {
        string[] methods =
        [
            .. suspended.Where((_, index) => kept[index] is null).Select(box => box.Method!.Name).Where(method => !Frameworks.IsOwn(method))
                .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal).Take(MostAbandoned)
                .Select(method => _context.Limits.Cut(method)!),
        ];
        return methods.Length == 0 ? null : methods;
    }
}
