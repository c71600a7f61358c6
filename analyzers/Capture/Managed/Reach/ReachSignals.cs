using HangTriage.Capture.Managed.Blocks;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Says of what is signalled by calls who makes them: the methods of the program, and who surely comes there.</summary>
internal sealed class ReachSignals(ReachSearch search, ReachThreads threads, ClrHeap heap)
{
    private const string Callback = "_timerCallback";
    private const int MostHolders = 256;
    private const int MostSteps = 4096;

    // What a timer calls itself.
    private static readonly string[] s_callbacks = ["System.Threading.TimerCallback", "System.Timers.ElapsedEventHandler"];

    private static readonly string[] s_parts =
    [
        "System.Threading.Channels.", "System.Threading.CancellationTokenSource+",
        "System.Action<System.Object, System.Threading.CancellationToken>",
    ];

    private readonly Dictionary<int, (int From, int To)[]> _holders = [];
    private readonly Dictionary<ThreadId, ReachSignaller?> _freeing = [];
    private readonly Dictionary<ulong, ReachSignaller?> _resuming = [];

    private ReachGraph Graph => search.Graph;

    /// <summary>The methods with a call that ends waits for the object, by the fields that hold it; null where anybody may make one.</summary>
    public IReadOnlyCollection<string>? MethodsOf(int node)
    {
        HashSet<string> methods = new(StringComparer.Ordinal);
        KeptSignal? signal = search.Gates.SignalOf(node);
        bool isGated = false;
        foreach ((int from, int to) in Holders(node))
        {
            signal = IsSent(from) ? new KeptSignal(SignalFamilies.BlockRoom, IsByField: false)
                : signal ?? (Graph.KeyOfKeeper(from) is not null ? search.Gates.SignalOf(from) : null);
            if (search.Gates.UseOf(Graph.CodeOf(from, to)) is { } use)
            {
                isGated = true;
                methods.UnionWith(use.Givers);
            }
        }

        // Nobody has it any more, by a field or otherwise.
        return isGated ? methods
            : search.Gates.UseOf(search.Gates.CodeOf(signal)) is { } all ? [.. all.Givers]
            : null;
    }

    /// <summary>
    /// The methods of the program with a call that ends waits for it, and who can come to them; null where anything else may end one.
    /// </summary>
    /// <param name="node">What is waited for.</param>
    /// <param name="waiters">The thread or the async methods that wait, which do not count.</param>
    public GivingCode? AllOf(int node, IReadOnlySet<ulong> waiters)
    {
        HashSet<string> methods = new(StringComparer.Ordinal);
        HashSet<ulong> by = [];
        foreach ((int from, int to) in Holders(node))
        {
            if (search.Gates.UseOf(Graph.CodeOf(from, to)) is { } use)
            {
                methods.UnionWith(use.Givers);
                by.UnionWith(use.By);
            }
            else if (!waiters.Contains(Graph.AddressOf(from)) && MayGive(from, to))
            {
                return null;
            }
        }

        return methods.Count == 0 ? null : new GivingCode(methods, by);
    }

    /// <summary>The code that ends waits for the object, of each field or collection that holds it or one of its ends.</summary>
    public IEnumerable<CodeUse> UsesOf(int node)
        => Find(node, withEnds: true).Select(pair => search.Links.WorkAt(pair.From, pair.To)).OfType<CodeUse>();

    /// <summary>
    /// The methods with a call that ends waits for the object, whoever can come to them; null where anything else may end one, or a library
    /// has it.
    /// </summary>
    /// <param name="node">What is waited for.</param>
    /// <param name="users">The instructions of the program.</param>
    public IReadOnlyCollection<string>? SitesOf(int node, ProgramUsers users)
    {
        HashSet<string> methods = new(StringComparer.Ordinal);
        foreach ((int from, int to) in Holders(node))
        {
            ClrObject holder = heap.GetObject(Graph.AddressOf(from));
            if (search.Gates.SignalOf(to) is not { } signal || !ReachGates.IsOfProgram(holder))
            {
                continue;
            }

            string? field = signal.IsByField ? HolderFields.Of(holder, Graph.AddressOf(to), users) : null;
            SignalKind kind = new(signal.Family, field) { Type = signal.Type };
            if (users.IsOfLibrary(holder.Type) || users.Graph.Signals.MethodsOf(kind) is not { } found)
            {
                return null;
            }

            methods.UnionWith(found);
        }

        return methods;
    }

    /// <summary>Calls of the program give it, and nobody can come to one, whoever has the object and whatever else ends the wait.</summary>
    public bool IsGivenByNobody(int node)
    {
        bool isGated = false;
        foreach ((int from, int to) in Holders(node))
        {
            if (search.Gates.UseOf(Graph.CodeOf(from, to)) is { } use)
            {
                if (use.By.Count > 0)
                {
                    return false;
                }

                isGated |= use.Givers.Count > 0;
            }
            else if (MayGive(from, to))
            {
                return false;
            }
        }

        return isGated;
    }

    /// <summary>Null where nobody does, or that is not known; of a count that needs several calls, the first of as many.</summary>
    public ReachSignaller? Of(int node)
    {
        foreach ((int from, int to) in Holders(node))
        {
            IReadOnlyList<ulong> sure = Graph.SureOf(from, to);
            if (sure.Count == 0)
            {
                continue;
            }

            ulong[] with = [.. With(from).Select(Graph.AddressOf)];
            ReachSignaller[] awake = [.. sure.Select(actor => Signaller(actor, with)).OfType<ReachSignaller>()];
            int needed = SignalCounts.Left(heap.GetObject(Graph.AddressOf(to))) ?? 1;
            if (awake.Length > 0 && awake.Length >= needed)
            {
                return awake[0];
            }
        }

        return RateLimiters.Gives(Graph, heap, node) ? new ReachSignaller { Kind = FlowRoot.Timer }
            : Holders(node).Select(pair => WithIt(pair.From, pair.To) ?? Releasing(pair.From, pair.To))
                .FirstOrDefault(found => found is not null);
    }

    // An async method that has what gives the signal when it is disposed of, and will continue: the key of a lock.
    private ReachSignaller? Releasing(int holder, int kept)
        => search.Gates.UseOf(Graph.CodeOf(holder, kept)) is not { } use ? null
            : use.Objects.Select(Graph.Find).OfType<int>()
                .SelectMany(key => Graph.LeadingTo(key).Select(from => (Key: key, Signaller: Continues(Graph.AddressOf(from)))))
                .FirstOrDefault(pair => pair.Signaller is not null && IsAt(Graph.AddressOf(pair.Key), holder)).Signaller;

    // Who has the object in a variable, not in a list, and comes on every way to a call on what is in a variable.
    private ReachSignaller? WithIt(int holder, int kept)
        => search.Gates.SignalOf(kept) is { IsByField: true } signal
            && search.Gates.SureInVariables(signal).Contains(Graph.AddressOf(holder))
            ? Signaller(Graph.AddressOf(holder))
            : null;

    private ReachSignaller? Continues(ulong flow)
        => search.EndOf(flow) switch
        {
            { } end and (FlowRoot.Timer or FlowRoot.PoolQueue) => new ReachSignaller { Kind = end },
            null when search.LastAwaitedBy(flow) is { } awaited => Resuming(awaited),
            _ => null,
        };

    /// <summary>Who surely ends an async method's wait for what stands at an address; null where that is not known.</summary>
    public ReachSignaller? Resuming(ulong awaited)
    {
        if (!_resuming.TryGetValue(awaited, out ReachSignaller? known))
        {
            _resuming.Add(awaited, null);
            known = Graph.Find(awaited) is { } node ? Of(node) : null;
            _resuming[awaited] = known;
        }

        return known;
    }

    // Who has the object itself, or what has it for its own waits.
    private IReadOnlyList<(int From, int To)> Holders(int node)
    {
        if (!_holders.TryGetValue(node, out (int From, int To)[]? holders))
        {
            holders = [.. Find(node, withEnds: false)];
            _holders.Add(node, holders);
        }

        return holders;
    }

    private IEnumerable<(int From, int To)> Find(int node, bool withEnds)
    {
        HashSet<int> seen = [node];
        Queue<int> open = new([node]);
        while (open.TryDequeue(out int to) && seen.Count < MostHolders)
        {
            foreach (int from in Graph.LeadingTo(to))
            {
                yield return (from, to);
                if ((Graph.KeyOfKeeper(from) is not null || (withEnds && ReachTypes.IsEnd(TypeOf(from) ?? string.Empty))) && seen.Add(from))
                {
                    open.Enqueue(from);
                }
            }
        }
    }

    private bool IsSent(int holder) => StuckBlocks.IsSent(heap.GetObject(Graph.AddressOf(holder)));

    // By code that is not known: it has the object otherwise than by a field whose uses are.
    private bool MayGive(int from, int to) => Graph.KeyOfKeeper(from) is null && !GivesNothing(from) && !IsOfContainer(to);

    // A channel's own parts, and what calls a wait off.
    private bool GivesNothing(int holder)
        => TypeOf(holder) is { } name && Array.Exists(s_parts, part => name.StartsWith(part, StringComparison.Ordinal));

    // A container of services gives what it has to those that are made, which have it themselves.
    private bool IsOfContainer(int kept) => TypeOf(kept)?.StartsWith(ReachGates.Container, StringComparison.Ordinal) == true;

    private string? TypeOf(int node) => heap.GetObject(Graph.AddressOf(node)).Type?.Name;

    // It leads to the holder, and not through a list, which has the same for others; or it is the holder, as of a static field.
    private bool IsAt(ulong actor, int holder) => With(holder).Any(node => Graph.AddressOf(node) == actor);

    // A timer hands its callback what that is to work with.
    private bool IsCalledWith(ulong callback, ulong[] with)
        => DelegateVisitor.IsDelegate(heap.GetObject(callback).Type)
            && with.Select(heap.GetObject).Any(found => PendingTimers.IsTimer(found) && PendingTimers.Need(found).SetFor is not null
                && found.Reference(Callback).Address == callback);

    private IEnumerable<int> With(int holder)
    {
        HashSet<int> seen = [holder];
        Queue<int> open = new([holder]);
        for (int steps = 0; open.TryDequeue(out int node) && steps < MostSteps; steps++)
        {
            yield return node;
            foreach (int from in Graph.LeadingTo(node).Where(from => !ReachGates.Keeps(heap.GetObject(Graph.AddressOf(from))) && seen.Add(from)))
            {
                open.Enqueue(from);
            }
        }
    }

    // Who waits comes there when his own wait has ended: whoever surely ends that one, where there is one for each thing that he waits for.
    private ReachSignaller? Freeing(ThreadId thread)
    {
        if (!_freeing.TryGetValue(thread, out ReachSignaller? known))
        {
            _freeing.Add(thread, null);
            ReachSignaller?[] signallers =
            [
                .. threads.WaitsOf(thread)
                    .Select(wait => ReachStarts.ObjectOf(wait) is { } target && Graph.Find(target) is { } node ? Of(node) : null),
            ];
            bool isWhole = threads.TransactionOf(thread) is null && threads.TasksOf(thread).Count == 0;
            known = isWhole && signallers.All(found => found is not null) ? signallers.FirstOrDefault() : null;
            _freeing[thread] = known;
        }

        return known;
    }

    private ReachSignaller? Signaller(ulong actor, ulong[] with)
        => with.Contains(actor) ? Signaller(actor)
            : IsCalledWith(actor, with) ? new ReachSignaller { Kind = FlowRoot.Timer }
            : null;

    private ReachSignaller? Signaller(ulong actor)
    {
        if (search.ThreadAt(actor) is { } stack)
        {
            ThreadId id = new(stack.Thread.OSThreadId);
            return threads.StateOf(stack) switch
            {
                ReachThreadState.Runs => new ReachSignaller { Kind = FlowRoot.Thread, Thread = id },
                ReachThreadState.Waits => Freeing(id),
                _ => null,
            };
        }

        return Continues(actor) is { } flow ? flow
            : Graph.Find(actor) is not { } node ? null
            : Graph.RootOf(node)?.Kind switch
            {
                FlowRoot.PoolQueue => new ReachSignaller { Kind = FlowRoot.PoolQueue },
                FlowRoot.Timer when s_callbacks.Contains(heap.GetObject(actor).Type?.Name) => new ReachSignaller { Kind = FlowRoot.Timer },
                _ => null,
            };
    }
}
