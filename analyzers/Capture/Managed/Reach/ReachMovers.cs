using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Lists the code of the program that leads to what is waited for and continues by itself.</summary>
internal sealed class ReachMovers
{
    private const int MostMovers = 16;
    private const int MostStages = 3;
    private const int MostFlows = 64;
    private const int MostSteps = 20_000;
    private const int MostStepsOfAll = 1_000_000;

    private readonly ReachSearch _search;
    private readonly ReachThreads _threads;
    private readonly FlowInventory _flows;
    private readonly FlowEnds _ends;
    private readonly Func<ulong, bool> _isContainer;
    private readonly ReachSignals _signals;
    private readonly ReachKeys _keys;
    private readonly ReachHands _hands;
    private readonly Func<ulong, int?> _missing;
    private readonly ReachTakers _takers;
    private readonly Dictionary<(int Next, int Stages, IReadOnlyCollection<KeyValue>? Keys), ReachMover[]> _bringers = [];
    private readonly Dictionary<int, CodeUse[]> _uses = [];
    private int _left = MostStepsOfAll;

    private ReachGraph Graph => _search.Graph;

    /// <param name="search">Who leads to what, when the search has ended.</param>
    /// <param name="threads">What threads do.</param>
    /// <param name="flows">The async methods.</param>
    /// <param name="ends">What continues behind them.</param>
    /// <param name="isContainer">An object that leads to all services of the program.</param>
    /// <param name="signals">By which code waits are ended.</param>
    /// <param name="keys">Under which keys what is waited for is filed.</param>
    /// <param name="hands">Who has such a key in the middle of some work.</param>
    /// <param name="takers">Who takes it out of a queue.</param>
    /// <param name="missing">How many have to come to the object at an address, each once; null where one is enough.</param>
    public ReachMovers(
        ReachSearch search, ReachThreads threads, FlowInventory flows, FlowEnds ends, Func<ulong, bool> isContainer, ReachSignals signals,
        ReachKeys keys, ReachHands hands, ReachTakers takers, Func<ulong, int?> missing)
    {
        _takers = takers;
        _missing = missing;
        _hands = hands;
        _signals = signals;
        _keys = keys;
        _search = search;
        _threads = threads;
        _flows = flows;
        _ends = ends;
        _isContainer = isContainer;
    }

    public IReadOnlyList<ReachMover> Of(IReadOnlyList<int> targets)
    {
        HashSet<ReachMover> movers = [];
        Work work = new(UsesOf(targets), KeysOf(targets));
        Find(targets, work, MostStages, movers);
        if (!movers.Any(IsAtWork))
        {
            int[] takers = [.. _takers.Of(targets, work.Uses)];
            movers.UnionWith(AtWork(takers.Concat(takers.SelectMany(Graph.LeadingTo)), work with { Keys = null }));
        }

        return movers.Any(IsAtWork) || work.Keys is not { } keys ? [.. EnoughOf(movers, targets)] : [.. movers, .. _hands.Of(keys)];
    }

    // One who comes to a barrier does not come for another who has left.
    private IEnumerable<ReachMover> EnoughOf(IReadOnlyCollection<ReachMover> movers, IReadOnlyList<int> targets)
        => movers.Count(IsAtWork) is var coming && targets.Any(target => _missing(Graph.AddressOf(target)) > coming)
            ? movers.Select(mover => mover with { HasInHand = false })
            : movers;

    private void Find(IEnumerable<int> targets, Work work, int stages, HashSet<ReachMover> movers)
    {
        HashSet<int> seen = [.. targets];
        Queue<int> open = new(seen);
        for (int steps = 0; open.TryDequeue(out int node) && steps < MostSteps && movers.Count < MostMovers && _left-- > 0; steps++)
        {
            foreach (int from in Graph.LeadingTo(node).Where(seen.Add))
            {
                ulong address = Graph.AddressOf(from);
                if (MoverAt(address, work) is { } mover)
                {
                    movers.Add(mover);
                    continue;
                }

                if (stages > 0 && IsNext(address, work))
                {
                    // What it awaits is its own work on what it has taken, or brings the next.
                    movers.UnionWith(AtWork(Graph.LeadingTo(from), work));
                    movers.UnionWith(BringersOf(from, work, stages - 1));
                }

                if (Graph.IsStatic(from))
                {
                    // Anybody may use what is in a static field; only who has something in hand is somebody's work.
                    movers.UnionWith(AtWork(Graph.LeadingTo(from), work));
                }
                else if (_search.ThreadAt(address) is null && !_isContainer(address))
                {
                    open.Enqueue(from);
                }
            }
        }
    }

    private IEnumerable<ReachMover> AtWork(IEnumerable<int> nodes, Work work)
        => nodes.Select(node => MoverAt(Graph.AddressOf(node), work)).OfType<ReachMover>().Where(IsAtWork);

    // Of threads that wait for each other each leads to all others.
    private ReachMover[] BringersOf(int next, Work work, int stages)
    {
        if (!_bringers.TryGetValue((next, stages, work.Keys), out ReachMover[]? bringers))
        {
            int[] awaited = [.. Graph.LeadingTo(next)];
            HashSet<ReachMover> found = [];
            Find(awaited, work with { Uses = UsesOf(awaited) }, stages, found);
            _bringers[(next, stages, work.Keys)] = bringers = [.. found.Where(IsAtWork)];
        }

        return bringers;
    }

    private static bool IsAtWork(ReachMover mover) => mover.HasInHand;

    private ReachMover? MoverAt(ulong address, Work work)
        => _search.ThreadAt(address) is not { } thread ? FlowAt(address, work)
            : _threads.StateOf(thread) != ReachThreadState.Runs ? null
            : new ReachMover { Thread = new ThreadId(thread.Thread.OSThreadId), HasInHand = Comes(thread, work) && HasKey(thread, work) };

    private ReachMover? FlowAt(ulong address, Work work)
        => _flows.Boxes.Find(address) is { State: >= 0, Method: { } method } flow
            && _flows.SampleOf(address) is { } sample
            && EndOf(flow) is var end
            && (end == FlowRoot.InputOutput || (end is FlowRoot.Timer or FlowRoot.PoolQueue or FlowRoot.Thread && !Frameworks.IsOwn(method.Name)))
                ? new ReachMover
                {
                    Flow = new Address(sample),
                    ContinuedBy = _ends.EndOf(address),
                    HasInHand = end != FlowRoot.InputOutput && ChainOf(flow) is var chain && Comes(chain, work) && HasKey(chain, work),
                }
                : null;

    private FlowRoot? EndOf(FlowBox flow)
        => AwaitEnds.RootOf(_flows.Resolver.Of(flow))
            ?? (_flows.Boxes.Find(flow.Awaited) is null ? _signals.Resuming(flow.Awaited)?.Kind : null);

    // It waits for the next thing to work on, and what it does with that ends the wait: who brings that is asked for.
    private bool IsNext(ulong address, Work work)
        => _search.ThreadAt(address) is { } thread
            ? _threads.StateOf(thread) == ReachThreadState.Waits && Comes(thread, work)
            : _flows.Boxes.Find(address) is { State: >= 0, Method: not null } flow && Comes(ChainOf(flow), work);

    private CodeUse[] UsesOf(IEnumerable<int> targets) => [.. targets.SelectMany(UsesOf).Distinct()];

    private CodeUse[] UsesOf(int target)
    {
        ref CodeUse[]? uses = ref CollectionsMarshal.GetValueRefOrAddDefault(_uses, target, out _);
        return uses ??= [.. _signals.UsesOf(target).Distinct()];
    }

    private FlowBox[] ChainOf(FlowBox flow) => [flow, .. _flows.Chains.Above(flow.Address).Take(MostFlows)];

    // What nobody has filed needs no key.
    private IReadOnlyCollection<KeyValue>? KeysOf(IReadOnlyList<int> targets)
    {
        IReadOnlyCollection<KeyValue>[] filed = [.. targets.Select(_keys.Of).OfType<IReadOnlyCollection<KeyValue>>()];
        return filed.Length == 0 ? null : [.. filed.SelectMany(keys => keys)];
    }

    private static bool Comes(ThreadStack thread, Work work) => Array.Exists(work.Uses, use => use.IsAtWork(thread.Thread));

    private static bool Comes(FlowBox[] chain, Work work) => Array.Exists(work.Uses, use => use.AreAtWork(chain));

    private bool HasKey(ThreadStack thread, Work work) => work.Keys is not { } keys || _keys.Have(thread.Roots, keys);

    private bool HasKey(FlowBox[] chain, Work work) => work.Keys is not { } keys || Array.Exists(chain, flow => _keys.Has(flow, keys));

    /// <summary>The code that ends the waits, and the keys under which what is waited for is filed; null for none.</summary>
    private sealed record Work(CodeUse[] Uses, IReadOnlyCollection<KeyValue>? Keys);
}
