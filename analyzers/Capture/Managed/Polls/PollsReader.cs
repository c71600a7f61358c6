using System.Globalization;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Work;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>Lists the loops in which threads and async methods wait, and who could end them.</summary>
internal sealed class PollsReader : IDisposable
{
    public const string What = "loops that wait";

    private const string Bringing = "who could end a loop that waits";
    private const int MostPolls = 512;
    private const int MostSearched = 32;
    private const int MostMethods = 100_000;

    private readonly ClrRuntime _runtime;
    private readonly IReadOnlyList<ClrThread> _threads;
    private readonly ThreadFrames _walked;
    private readonly CaptureContext _context;
    private readonly IlModules _modules = new();
    private readonly DelegateVisitor _delegates = new();
    private readonly ServiceVisitor _services = new();
    private readonly HostVisitor _hosts = new();
    private readonly InstanceVisitor _instances = new();
    private readonly IReadOnlyList<Poll> _ofThreads;
    private ProgramCode? _code;

    /// <param name="runtime">The runtime.</param>
    /// <param name="threads">Its threads that live.</param>
    /// <param name="pulsed">Those of them that have got the pulse that they waited for: they do more than look again.</param>
    /// <param name="walked">The frames of the threads.</param>
    /// <param name="inlined">What was compiled into what.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public PollsReader(
        ClrRuntime runtime, IReadOnlyList<ClrThread> threads, IReadOnlyList<ThreadId> pulsed, ThreadFrames walked, InlinedCalls inlined,
        CaptureContext context)
    {
        _runtime = runtime;
        _threads = threads;
        _walked = walked;
        _context = context;
        _ofThreads = FindInThreads([.. threads.Where(thread => !pulsed.Contains(new ThreadId(thread.OSThreadId)))], inlined);
    }

    /// <summary>The modules of the program's own.</summary>
    public IlModules Modules => _modules;

    /// <param name="isWalkedAnyhow">Others walk the heap, too.</param>
    public IReadOnlyList<IHeapVisitor> Visitors(bool isWalkedAnyhow) => isWalkedAnyhow ? [_delegates, _services, _hosts, _instances] : [];

    /// <summary>To be called when the walk has ended.</summary>
    /// <param name="flows">The suspended async methods.</param>
    /// <param name="isWhole">All of the heap was walked.</param>
    public IReadOnlyList<PollFacts> Read(IReadOnlyList<FlowGrouping> flows, bool isWhole)
    {
        FlowPolls suspended = new(_modules);
        Poll[] polls = [.. _ofThreads, .. flows.Take(MostPolls).Select(suspended.Of).OfType<Poll>()];
        Func<Poll, Known<PollBringers>> search = polls.Any(poll => poll.IsByFields) ? Search(flows, isWhole) : _ => Unsearched("no loop waits for a field");
        return [.. polls.Select((poll, index) => Describe(poll, poll.IsByFields ? index < MostSearched ? search(poll) : Unsearched($"there are more than {MostSearched} such loops") : null))];
    }

    /// <summary>Who takes items from bounded queues and waits for something else.</summary>
    /// <param name="flows">The suspended async methods.</param>
    public IReadOnlyList<QueueReaderFacts> ReadQueues(IReadOnlyList<FlowGrouping> flows)
        => new QueueReaders(_threads, _walked, _modules, _context).Read(_runtime.Heap, [.. flows.Take(MostPolls)]);

    /// <summary>Which threads are under a lock in a loop that need not end, and which in such as end for certain.</summary>
    public IReadOnlyList<LockedLoopFacts> ReadLockedLoops()
    {
        using OptionalReads optional = new(_runtime.DataTarget.DataReader);
        LockedLoops loops = new(_modules, _walked);
        return
        [
            .. _threads.SelectMany(thread => Attempt.Read<LockedLoopFacts[]>(
                What, () => Known.Derived<LockedLoopFacts[]>(loops.Of(thread) is { } loop ? [loop] : [])) is { HasValue: true } known
                    ? known.Value : []),
        ];
    }

    /// <summary>Which threads wait for work with no method on the stack that takes a lock or gives one back.</summary>
    public IReadOnlyList<ThreadId> ReadLockFree()
    {
        using OptionalReads optional = new(_runtime.DataTarget.DataReader);
        LockFreeStacks stacks = new(_modules, _walked);
        return
        [
            .. _threads.Where(thread => Attempt.Read(What, () => Known.Derived(stacks.Has(thread))) is { HasValue: true, Value: true })
                .Select(thread => new ThreadId(thread.OSThreadId)),
        ];
    }

    /// <summary>The threads at work, with the state of their frames.</summary>
    public IReadOnlyList<WorkFacts> ReadWork(SourceLines sources)
    {
        using OptionalReads optional = new(_runtime.DataTarget.DataReader);
        return new WorkReader(_modules, _walked, sources, _context).Read(_threads, _ofThreads
            .Select(poll => poll.Thread!.OSThreadId).ToHashSet());
    }

    /// <summary>Which async methods that wait for input or output come back to it again and again.</summary>
    /// <param name="facts">What is known of the async methods.</param>
    /// <param name="inventory">The same, as the walk found them.</param>
    public FlowsFacts WithLoops(FlowsFacts facts, FlowInventory inventory) => new FlowLoops(_modules, _runtime.Heap).Add(facts, inventory);

    /// <summary>The services of a host that have failed. To be called when the walk has ended.</summary>
    public IReadOnlyList<EndedServiceFacts> EndedServices() => _services.Ended(_runtime.Heap);

    public void Dispose() => _modules.Dispose();

    private List<Poll> FindInThreads(IReadOnlyList<ClrThread> threads, InlinedCalls inlined)
    {
        using OptionalReads optional = new(_runtime.DataTarget.DataReader);
        ThreadPolls polls = new(_modules, _walked, inlined, new SpunLoop(_runtime, _context), _context);
        EndingThreads ending = new(_modules, _walked);
        List<Poll> found = [];
        foreach (ClrThread thread in threads)
        {
            try
            {
                if (found.Count < MostPolls && polls.Of(thread) is { } poll)
                {
                    found.Add(poll with { IsOnWayToEnd = Attempt.Read(What, () => Known.Derived(ending.Has(thread, poll))).Is(has => has) });
                }
            }
            catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
            {
                // Its instructions or its tables are damaged: it counts as a thread in no such loop.
                continue;
            }
        }

        return found;
    }

    private Func<Poll, Known<PollBringers>> Search(IReadOnlyList<FlowGrouping> flows, bool isWhole)
    {
        if (!isWhole || _delegates.IsCut)
        {
            return _ => Unsearched("not all of the heap was read");
        }

        if (CodeOf(flows) is not { } code)
        {
            return _ => Unsearched(string.Create(CultureInfo.InvariantCulture, $"the program has more than {MostMethods} methods"));
        }

        BringerSearch search = code.Search;
        IReadOnlyList<(string, string?)> delegates = code.Delegates;
        SuspendedFlows suspended = code.Flows;
        return poll => Attempt.Read(Bringing, () => Known.Derived(search.Of(poll, suspended, delegates)));
    }

    /// <summary>Who can still come to which instructions of the program; null where none could be read.</summary>
    /// <param name="flows">The suspended async methods.</param>
    public ProgramUsers? Users(IReadOnlyList<FlowGrouping> flows)
    {
        if (CodeOf(flows) is not { } code)
        {
            return null;
        }

        CodeLevels levels = new(_walked, _modules, code.Graph);
        WorkInHand hands = new(levels, _modules, code.Graph);
        CodeUsers users = new(_threads, _walked, _modules, code, flows, _delegates, _instances, levels, hands);
        FieldUsers fields = new(users, StaticSlots.Read(_runtime, _modules, _context));
        return new ProgramUsers(fields, new SignalGivers(users), code.Graph, hands) 
        {
            IsWhole = _modules.IsWhole && !_delegates.IsCut,
            HasDelegate = users.HasDelegate,
            EntryOf = group => Entries.Of(group, _modules),
            AloneSetsResult = (method, type) => AloneSetsResult(code.Graph, method, type),
            IsOpaque = type => _modules.IsOpaque(type?.Module),
        };
    }

    private bool AloneSetsResult(CallGraph graph, ClrMethod method, ConstructedType type)
        => _modules.Of(method) is { } module
            && module.Names.Member(method.MetadataToken) is { } own
            && module.Body(method.MetadataToken).Any(instruction => instruction.IsCall
                && module.Names.Member(instruction.Operand) is { } called && SignalFamilies.SetsResult(called.Type, called.Name))
            && graph.Signals.MethodsOf(new SignalKind(SignalFamilies.Promise) { Type = type }) is { } givers
            && givers.All(giver => giver == own.FullName);

    /// <summary>All instructions of the program; null where not all could be read.</summary>
    /// <param name="flows">The suspended async methods.</param>
    public (ProgramCode Code, IlModules Modules)? Code(IReadOnlyList<FlowGrouping> flows)
        => !_delegates.IsCut && CodeOf(flows) is { } code && _modules.IsWhole ? (code, _modules) : null;

    private ProgramCode? CodeOf(IReadOnlyList<FlowGrouping> flows)
    {
        using OptionalReads optional = new(_runtime.DataTarget.DataReader);
        IDataReader guesses = IWatchedReader.Guessing(_runtime.DataTarget.DataReader);
        if (_code is null && _modules.OpenAll(_runtime, guesses, _context) && GraphOf(_modules) is { } graph)
        {
            BringerSearch search = new(_runtime, _threads, _walked, _modules, graph, _ofThreads);
            IReadOnlyList<(string, string?)> delegates =
                search.MethodsOf(_delegates.Samples, flows.Select(flow => flow.Sample.Method!.Name));
            search.Begin(
                [
                    .. flows.Where(IsAwaitedByThread).SelectMany(NamesOf), .. StartedServices(),
                    .. InitializedTypes.Constructors(_runtime, _modules, graph, _context),
                ],
                delegates);
            _code = new ProgramCode(graph, search, new SuspendedFlows(flows, _modules, graph), delegates);
        }

        return _code;
    }

    // The async method, and what its state machine does.
    private IEnumerable<string> NamesOf(FlowGrouping flow)
    {
        FlowMethod method = flow.Sample.Method!;
        return [method.Name, $"{_modules.Of(method.Machine)?.Names.Type(method.Machine.MetadataToken)}.MoveNext"];
    }

    private IEnumerable<string> StartedServices()
        => _services.Started().Concat(_hosts.Begun(_runtime.Heap)).Select(method => _modules.Of(method)?.Names.Member(method.MetadataToken)?.FullName).OfType<string>();

    // Task.Wait and its kin leave this with the task.
    private bool IsAwaitedByThread(FlowGrouping flow)
        => flow.Sample.Continuation != 0 && _runtime.Heap.GetObject(flow.Sample.Continuation).Type?.Name?.Contains("SetOnInvokeMres", StringComparison.Ordinal) == true;

    private CallGraph? GraphOf(IlModules modules)
    {
        IReadOnlySet<IlModule> libraries = modules.Libraries();
        CallGraph graph = new()
        {
            Libraries = libraries,
            Signals = { Libraries = libraries },
            HasObjects = type => _instances.Of(type) is not { Count: 0 },
        };
        int methods = 0;
        foreach ((IlModule module, int method) in modules.Opened.SelectMany(module => module.Methods.Select(method => (module, method))))
        {
            if (++methods > MostMethods)
            {
                return null;
            }

            if (methods % 256 == 0)
            {
                _context.Step();
            }

            graph.Add(module, method);
        }

        return graph;
    }

    private static Known<PollBringers> Unsearched(string why) => Known.Unknown<PollBringers>(Bringing, why);

    private static PollFacts Describe(Poll poll, Known<PollBringers>? bringers) => new()
    {
        Thread = poll.Thread is { } thread ? new ThreadId(thread.OSThreadId) : null,
        Flow = poll.Flow == 0 ? null : new Address(poll.Flow),
        Method = poll.Name,
        Fields = [.. poll.Content.Fields.Select(NameOf)],
        Calls = poll.Content.Calls,
        Traits = poll.Content.Traits | (poll.IsOnWayToEnd ? PollTraits.IsOnWayToEnd : PollTraits.None),
        MayHaveCome = poll.MayHaveCome,
        Bringers = bringers,
    };

    // A variable that a lambda has captured is known by its name alone; the field behind a property by that.
    private static string NameOf(IlMember field)
    {
        string name = field.Name is ['<', .. { } rest] && rest.IndexOf('>', StringComparison.Ordinal) is > 0 and int end ? rest[..end] : field.Name;
        return field.Type.Contains("+<>c", StringComparison.Ordinal) ? name : $"{field.Type}.{name}";
    }
}
