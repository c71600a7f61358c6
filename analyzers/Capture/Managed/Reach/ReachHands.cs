using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Who pauses in the middle of some work and has the key under which what is waited for is filed. The reply can be made behind a connection
/// or in a library, where nothing leads from who makes it to the wait; the key does.
/// </summary>
internal sealed class ReachHands
{
    private const int MostFlows = 64;
    private const int MostKeys = 8;
    private const int MostOfGroup = 32;

    // Small numbers and short words are found by chance; several of them that are all found are not.
    private const int FewestByChance = 3;
    private const int ShortestText = 4;

    private readonly ReachKeys _keys;
    private readonly FlowInventory _flows;
    private readonly Lazy<FlowGrouping[]> _paused;
    private readonly Lazy<ThreadStack[]> _working;

    /// <param name="stacks">The threads.</param>
    /// <param name="threads">What they do.</param>
    /// <param name="flows">The async methods.</param>
    /// <param name="hands">Who has something in hand; null where that is not known.</param>
    /// <param name="keys">Who has a key.</param>
    public ReachHands(IReadOnlyList<ThreadStack> stacks, ReachThreads threads, FlowInventory flows, Func<WorkInHand?> hands, ReachKeys keys)
    {
        _keys = keys;
        _flows = flows;
        _paused = new(() => hands() is { } known
            ? [.. flows.Groups.Where(Pauses).Where(group => known.Has(ChainOf(group.Sample), [], null))] : []);
        _working = new(() => hands() is { } known
            ? [.. stacks.Where(stack => threads.StateOf(stack) == ReachThreadState.Runs && known.Has(stack.Thread, [], null))] : []);
    }

    /// <summary>All keys are in somebody's hands; empty otherwise.</summary>
    /// <param name="keys">Under which each of the objects that are waited for is filed.</param>
    public IReadOnlyList<ReachMover> Of(IReadOnlyCollection<KeyValue> keys)
    {
        HashSet<ReachMover> movers = [];
        int found = 0;
        foreach (KeyValue key in keys.Take(MostKeys).Where(key => IsDistinct(key) || keys.Count >= FewestByChance))
        {
            if (HolderOf(key) is not { } holder)
            {
                return [];
            }

            movers.Add(holder);
            found++;
        }

        return found == 0 ? [] : [.. movers];
    }

    private ReachMover? HolderOf(KeyValue key)
        => _paused.Value.FirstOrDefault(group => group.Boxes.Take(MostOfGroup).Select(_flows.Boxes.Find).OfType<FlowBox>()
                .Any(box => ChainOf(box).Any(flow => _keys.Has(flow, [key])))) is { } paused
            ? new ReachMover { Flow = new Address(paused.Sample.Address), HasInHand = true }
            : _working.Value.FirstOrDefault(stack => _keys.Have(stack.Roots, [key])) is { } working
                ? new ReachMover { Thread = new ThreadId(working.Thread.OSThreadId), HasInHand = true }
                : null;

    private IEnumerable<FlowBox> ChainOf(FlowBox flow) => _flows.Chains.Above(flow.Address).Take(MostFlows).Prepend(flow);

    private static bool Pauses(FlowGrouping group)
        => AwaitEnds.RootOf(group.Awaited) is FlowRoot.Timer or FlowRoot.PoolQueue && !Frameworks.IsOwn(group.Sample.Method!.Name);

    private static bool IsDistinct(KeyValue key)
        => key.IsNumber ? key.Value.TrimEnd('0').Length > sizeof(ushort) * 2
            : key.Value.Length >= ShortestText && key.Value.Any(char.IsAsciiDigit);
}
