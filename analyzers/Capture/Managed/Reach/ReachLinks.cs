using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Says of who has an object by which code he can end waits for it, and enters that into the graph.</summary>
/// <param name="heap">The heap.</param>
/// <param name="graph">The graph.</param>
/// <param name="gates">What is signalled by calls.</param>
/// <param name="flows">The async methods.</param>
/// <param name="code">The instructions of the program.</param>
/// <param name="isQuiet">Nothing runs in the process: who has an object comes to no code.</param>
/// <param name="mayContinue">
/// Who is at the first address does not wait for what is at the second, nor for somebody outside the process.
/// </param>
/// <param name="enter">The node of what stands at an address.</param>
/// <param name="enterKeeper">The same of what merely keeps something that is signalled so.</param>
/// <param name="once">Called for what is to be searched once, whatever else is known of it.</param>
internal sealed class ReachLinks(
    ClrHeap heap, ReachGraph graph, ReachGates gates, FlowInventory flows, Lazy<ProgramUsers?> code, bool isQuiet,
    Func<ulong, ulong, bool> mayContinue, Func<ulong, int> enter, Func<ulong, KeptSignal, int> enterKeeper, Action<ulong> once)
{
    private const int MostBases = 16;

    private readonly Dictionary<ulong, IReadOnlyList<CodeUse>> _uses = [];
    private readonly Dictionary<(int Holder, int Node), CodeUse> _openUses = [];
    private readonly HashSet<ulong> _surely = [];
    private readonly Dictionary<ulong, List<ulong>> _idle = [];

    /// <summary>The objects, async methods and arrays of static fields that have the limiter and can end no wait for it by that.</summary>
    public IReadOnlyList<ulong> IdleHoldersOf(ulong limiter) => _idle.GetValueOrDefault(limiter) ?? [];

    /// <summary>Who can use the static fields that hold the object; null where none does, or not all that is known.</summary>
    public IReadOnlyList<CodeUse>? UsesOf(ulong address) => _uses.GetValueOrDefault(address);

    /// <summary>
    /// The code that ends waits for the second, which the first has, also where anybody may come there; null where none is known.
    /// </summary>
    public CodeUse? WorkAt(int from, int to) => gates.UseOf(graph.CodeOf(from, to)) ?? _openUses.GetValueOrDefault((from, to));

    /// <summary>Enters into the graph that one object refers to another, which it may be able to use.</summary>
    /// <param name="referrer">The one.</param>
    /// <param name="target">The other.</param>
    /// <param name="isStatics">The one is an array of static fields.</param>
    public void Follow(ClrObject referrer, ulong target, bool isStatics)
    {
        if (RateLimiters.IsIdle(referrer, heap.GetObject(target)))
        {
            (_idle.TryGetValue(target, out List<ulong>? known) ? known : _idle[target] = []).Add(referrer.Address);
            return;
        }

        if ((flows.Boxes.Find(referrer.Address) ?? flows.Boxes.FindByMachine(referrer.Address)) is { State: >= 0 } flow)
        {
            foreach (int node in graph.NodesAt(target).ToArray())
            {
                FollowFlow(flow, referrer, target, node);
            }

            return;
        }

        if (isStatics && !isQuiet && code.Value?.Whole?.Fields.Of(referrer, target) is { } use)
        {
            OfField(use, target);
        }
        else if (!TokenRegistrations.HasTokenAlone(referrer, heap.GetObject(target))
            && TokenRegistrations.LeadingTo(referrer, heap.GetObject(target)) is { } leading
            && ReachTypes.CanUse(leading, heap.GetObject(target)))
        {
            foreach (int node in graph.NodesAt(target).ToArray())
            {
                LinkHolder(leading, target, node, isStatics);
            }
        }
    }

    private void FollowFlow(FlowBox flow, ClrObject referrer, ulong target, int node)
    {
        if (flow.Continuation == target)
        {
            graph.Link(enter(flow.Address), node, isEnd: true);
        }
        else if (HasForUse(flow, referrer, target))
        {
            KeptSignal? signal = gates.SignalOf(node);
            bool isOfProgram = signal is not null && !Frameworks.IsOwn(flow.Method?.Name ?? string.Empty);
            string? variable = isOfProgram ? HolderFields.OfVariable(heap, flow, target, code.Value) : null;
            KeptSignal? given = isOfProgram
                ? signal!.Value with { IsInNoField = true, IsOfProgram = IsOfNoLibrary(flow.Method?.Machine) } : null;
            Link(
                enter(flow.Address), node, given, field: null,
                [.. SureOf(signal, variable, target).Where(actor => actor == flow.Address)]);
        }
    }

    private void LinkHolder(ClrObject holder, ulong target, int node, bool isStatics)
    {
        if (TaskObject.IsTask(heap.GetObject(target)))
        {
            gates.HandOn(target, holder.Address);
        }

        KeptSignal? signal = gates.SignalOf(node);
        if (_surely.Contains(target) && FieldNames.IsOfClosure(holder.Type))
        {
            LookFor(holder);
        }

        if (isQuiet)
        {
            graph.Link(enter(holder.Address), node);
        }
        else if (ReachGates.Owned(holder, target, signal is not null) is { } own)
        {
            graph.Link(enterKeeper(holder.Address, gates.WithEntry(own, holder.Address)), node);
        }
        else if (signal is { } given && !isStatics && ReachGates.Kept(holder, given) is { } kept)
        {
            if (!gates.IsSignalledByMaker(kept))
            {
                graph.Link(enterKeeper(holder.Address, kept), node);
            }
        }
        else if (signal is { } needed && ReachGates.IsOfProgram(holder) && code.Value?.IsOpaque(holder.Type) != true)
        {
            LinkOwn(holder, target, node, needed with { IsOfProgram = IsOfNoLibrary(holder.Type) });
        }
        else if (signal is null && FieldNames.IsOfClosure(holder.Type)
            && VariableOf(HolderFields.Of(holder, target, code.Value)) is { } use)
        {
            LinkUsers(use, node, sure: []);
        }
        else
        {
            graph.Link(enter(holder.Address), node);
        }
    }

    // A base type that is a library's has fields of its own.
    private bool IsOfNoLibrary(ClrType? type)
        => code.Value is { } users && type is not null && !type.WithBases(MostBases).Any(users.IsOfLibrary);

    // Of an object of the program only the program's own calls signal what it has.
    private void LinkOwn(ClrObject holder, ulong target, int node, KeptSignal signal)
    {
        string? field = HolderFields.Of(holder, target, code.Value);
        if (field is null && signal.Family.IsDelegate)
        {
            // What .NET's own part of an object of the program has .NET calls.
            graph.Link(enter(holder.Address), node);
            return;
        }

        IReadOnlyList<ulong> sure = SureOf(signal, field, target);
        if (sure.Count > 0)
        {
            LookFor(holder);
        }

        if (gates.CodeOf(signal, field) is null && VariableOf(field) is { } use)
        {
            LinkUsers(use, node, sure);
            return;
        }

        // Who has a context posts to it, and so may fill what the thread that serves it waits for.
        int having = Continuation.DerivesFromContext(holder.Type)
            ? enterKeeper(holder.Address, signal with { IsByField = false })
            : enter(holder.Address);
        Link(having, node, signal, field, sure);
    }

    private void LinkUsers(CodeUse use, int node, IReadOnlyList<ulong> sure)
    {
        foreach (ulong user in use.Leading)
        {
            graph.LinkHolder(enter(user), node, code: null, sure);
        }
    }

    // Who has the object that lambdas share gets at what only others of them use by no way.
    private CodeUse? VariableOf(string? field)
        => field is not null && MadeTypes.IsClosure(field) ? code.Value?.Whole?.Fields.OfVariable(field) : null;

    // Who has it, by a lambda's closure too, may be who surely gives.
    private void LookFor(ClrObject holder)
    {
        _surely.Add(holder.Address);
        once(holder.Address);
    }

    private void Link(int holder, int node, KeptSignal? signal, string? field, IReadOnlyList<ulong> sure)
        => graph.LinkHolder(holder, node, CodeOf(holder, node, signal, field), sure);

    private int? CodeOf(int holder, int node, KeptSignal? signal, string? field)
    {
        int? giving = gates.CodeOf(signal, field);
        if (giving is null && signal is { } given && gates.WorkOf(given, field) is { } open)
        {
            _openUses.TryAdd((holder, node), open);
        }

        return giving;
    }

    // Who waits for the object, too, gives nothing before. Whether others who wait continue is asked for when all is searched.
    private IReadOnlyList<ulong> SureOf(KeptSignal? signal, string? field, ulong target)
        => [.. gates.SureOf(signal, field).Where(actor => mayContinue(actor, target))];

    // What the host does when a background service has ended is not to use what it has, which is everything: its services.
    private bool HasForUse(FlowBox flow, ClrObject referrer, ulong target)
        => flow.Method?.Name != HostCalls.RunOfService
            && !TokenRegistrations.HasTokenAlone(flow, heap.GetObject(target))
            && flow.Awaited != target
            && flows.Resolver.Of(flow).Address != target
            && ReachTypes.CanUse(referrer, heap.GetObject(target));

    // Whoever can come to code that uses the field can get at the object; having a task does not complete it.
    private void OfField(CodeUse use, ulong target)
    {
        bool isTask = TaskObject.IsTask(heap.GetObject(target));
        _uses[target] = [.. UsesOf(target) ?? [], use];
        foreach (int node in graph.NodesAt(target).ToArray())
        {
            graph.MarkStatic(node);
            if (isTask || !use.Leading.Any())
            {
                continue;
            }

            KeptSignal? signal = gates.SignalOf(node);
            IReadOnlyList<ulong> sure = SureOf(signal, use.Field, target);
            foreach (int user in use.Leading.Select(enter))
            {
                graph.LinkUse(user, node, CodeOf(user, node, signal, use.Field), sure);
            }
        }
    }
}
