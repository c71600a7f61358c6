using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Lists the code of the program that leads to what is waited for and continues by itself.</summary>
internal sealed class ReachMovers
{
    private const int MostMovers = 16;
    private const int MostSteps = 20_000;
    private const int MostStepsOfAll = 1_000_000;

    private readonly ReachSearch _search;
    private readonly ReachThreads _threads;
    private readonly FlowInventory _flows;
    private readonly FlowEnds _ends;
    private readonly Func<ulong, bool> _isContainer;
    private int _left = MostStepsOfAll;

    /// <param name="search">Who leads to what, when the search has ended.</param>
    /// <param name="threads">What threads do.</param>
    /// <param name="flows">The async methods.</param>
    /// <param name="ends">What continues behind them.</param>
    /// <param name="isContainer">An object that leads to all services of the program.</param>
    public ReachMovers(ReachSearch search, ReachThreads threads, FlowInventory flows, FlowEnds ends, Func<ulong, bool> isContainer)
    {
        _search = search;
        _threads = threads;
        _flows = flows;
        _ends = ends;
        _isContainer = isContainer;
    }

    public IReadOnlyList<ReachMover> Of(IReadOnlyList<int> targets)
    {
        HashSet<ReachMover> movers = [];
        HashSet<int> seen = [.. targets];
        Queue<int> open = new(targets);
        for (int steps = 0; open.TryDequeue(out int node) && steps < MostSteps && movers.Count < MostMovers && _left-- > 0; steps++)
        {
            foreach (int from in _search.Graph.LeadingTo(node).Where(seen.Add))
            {
                ulong address = _search.Graph.AddressOf(from);
                if (_search.ThreadAt(address) is { } thread)
                {
                    if (_threads.StateOf(thread) == ReachThreadState.Runs)
                    {
                        movers.Add(new ReachMover { Thread = new ThreadId(thread.Thread.OSThreadId) });
                    }
                }
                else if (Mover(address) is { } mover)
                {
                    movers.Add(mover);
                }
                else if (!_search.Graph.IsStatic(from) && !_isContainer(address))
                {
                    open.Enqueue(from);
                }
            }
        }

        return [.. movers];
    }

    private ReachMover? Mover(ulong address)
        => _flows.Boxes.Find(address) is { State: >= 0, Method: { } method } flow
            && _flows.SampleOf(address) is { } sample
            && AwaitEnds.RootOf(_flows.Resolver.Of(flow.Awaited)) is var end
            && (end == FlowRoot.InputOutput || (end is FlowRoot.Timer or FlowRoot.PoolQueue && !Frameworks.IsOwn(method.Name)))
                ? new ReachMover { Flow = new Address(sample), ContinuedBy = _ends.EndOf(address) }
                : null;
}
