using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// What of the objects that are waited for is signalled by a call: whoever has one ends no wait for it unless somebody can come to
/// such a call.
/// </summary>
/// <param name="heap">The heap.</param>
/// <param name="graph">What leads to what.</param>
/// <param name="users">Who can come to which instructions; null where that is not known: then all that has an object counts.</param>
/// <param name="enter">The node of an object, which is followed on.</param>
internal sealed class ReachGates(ClrHeap heap, ReachGraph graph, Func<ProgramUsers?> users, Func<ulong, int> enter)
{
    /// <summary>The types of .NET's own container of services begin so.</summary>
    public const string Container = "Microsoft.Extensions.DependencyInjection.";

    private const int MostBases = 8;

    // No object stands so low.
    private const ulong FirstCode = 1;

    // BlockingCollection: the semaphore of those that wait for room in it.
    private static readonly string[] s_freeRoom = ["_freeNodes", "m_freeNodes"];

    private static readonly string[] s_keeping =
    [
        "System.Collections.", "System.Threading.Channels.", "System.Tuple<", "System.ValueTuple<", "System.Lazy<", "System.WeakReference",
        "System.Runtime.CompilerServices.StrongBox<", "System.Runtime.CompilerServices.ConditionalWeakTable<",
        Container,
    ];

    private readonly Dictionary<ulong, SignalFamily?> _families = [];
    private readonly Dictionary<SignalKind, int?> _codes = [];
    private readonly Dictionary<int, CodeUse> _uses = [];
    private readonly List<KeptSignal> _kept = [];

    /// <summary>The object is waited for as one of that family, which its type does not tell. As one of two it is none.</summary>
    public void Mark(ulong address, SignalFamily family)
        => _families[address] = _families.TryGetValue(address, out SignalFamily? known) && known != family ? null : family;

    /// <summary>The same for a queue that is waited for at one of its ends.</summary>
    public void Mark(Awaited queue)
    {
        bool isRead = queue.End == FlowQueueEnd.Reader;
        if (queue.Kind == FlowWaitKind.Channel)
        {
            Mark(queue.Address, isRead ? SignalFamilies.Writer : SignalFamilies.Reader);
        }
        else if (queue.Kind == FlowWaitKind.Pipe)
        {
            Mark(queue.Address, isRead ? SignalFamilies.PipeWriter : SignalFamilies.PipeReader);
        }
    }

    /// <summary>What the node stands for is signalled by such calls; null where having it is enough.</summary>
    public KeptSignal? SignalOf(int node)
    {
        if (graph.KeyOfKeeper(node) is { } key)
        {
            return _kept[key];
        }

        ulong address = graph.AddressOf(node);
        if (!_families.TryGetValue(address, out SignalFamily? family))
        {
            family = ByType(heap.GetObject(address).Type);
            _families.Add(address, family);
        }

        return family is null ? null : new KeptSignal(family, IsByField: true);
    }

    /// <summary>
    /// What signals the object which the holder, that is signalled by calls itself, has for its own waits, as a countdown has an event;
    /// null where it is no such holder.
    /// </summary>
    public static KeptSignal? Owned(ClrObject holder, ulong target)
    {
        SignalFamily? family = ByType(holder.Type);
        bool isFull = family == SignalFamilies.Filled && holder.Reference(s_freeRoom).Address == target;
        return isFull ? new KeptSignal(SignalFamilies.Emptied, IsByField: true)
            : family is null ? null
            : new KeptSignal(family, IsByField: true);
    }

    /// <summary>The key of a node that keeps what is signalled so.</summary>
    public int KeyOf(KeptSignal signal)
    {
        int key = _kept.IndexOf(signal);
        if (key < 0)
        {
            key = _kept.Count;
            _kept.Add(signal);
        }

        return key;
    }

    /// <param name="signal">What has to be signalled; null for what needs no call.</param>
    /// <param name="field">The field by which it is held; null where that is not known.</param>
    /// <returns>The node of the code that signals it; null where anybody may come there.</returns>
    public int? CodeOf(KeptSignal? signal, string? field = null)
    {
        if (signal is not { } known)
        {
            return null;
        }

        SignalKind kind = new(known.Family, known.IsByField ? field : null);
        if (!_codes.TryGetValue(kind, out int? code))
        {
            code = Enter(kind);
            _codes.Add(kind, code);
        }

        return code;
    }

    /// <summary>Who comes, on every way that it can take, to a call on what the field holds.</summary>
    public IReadOnlyList<ulong> SureOf(KeptSignal? signal, string? field)
        => signal is { IsByField: true, Family: var family } && field is not null && users() is { } known
            ? known.Givers.SureOf(new SignalKind(family, field) { IsExact = true })
            : [];

    /// <summary>Who can come to that code; null for what is no code.</summary>
    public CodeUse? UseOf(int? code) => code is { } node && _uses.TryGetValue(node, out CodeUse? use) ? use : null;

    /// <summary>Only the program's own calls signal what the object has.</summary>
    public static bool IsOfProgram(ClrObject holder) => holder.Type?.Name is { } name && !Frameworks.IsOwn(name);

    /// <summary>It keeps objects and does nothing with them.</summary>
    public static bool Keeps(ClrObject holder)
        => holder.Type is { } type
            && (type.IsArray || Array.Exists(s_keeping, prefix => type.Name?.StartsWith(prefix, StringComparison.Ordinal) == true));

    private int? Enter(SignalKind kind)
    {
        if (users()?.Givers.Of(kind) is not { } use)
        {
            return null;
        }

        int node = graph.Of(FirstCode + (ulong)_codes.Count, out _);
        _uses.Add(node, use);
        foreach (ulong user in use.By)
        {
            graph.Link(enter(user), node);
        }

        return node;
    }

    private static SignalFamily? ByType(ClrType? type)
    {
        for (int count = 0; type is not null && count < MostBases; count++, type = type.BaseType)
        {
            if (type.Name is { } name && SignalFamilies.Of(name) is { } family)
            {
                return family;
            }
        }

        return null;
    }
}
