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
/// <param name="code">Who can come to which instructions. Where not all are known, all that has an object counts.</param>
/// <param name="enter">The node of an object, which is followed on.</param>
/// <param name="enterKept">The same for an object of which only who signals what it keeps counts.</param>
internal sealed class ReachGates(
    ClrHeap heap, ReachGraph graph, Func<ProgramUsers?> code, Func<ulong, int> enter, Func<ulong, KeptSignal, int> enterKept)
{
    /// <summary>The types of .NET's own container of services begin so.</summary>
    public const string Container = "Microsoft.Extensions.DependencyInjection.";

    private const int MostBases = 8;
    private const string Lazies = "System.Lazy<";

    // No object stands so low.
    private const ulong FirstCode = 1;

    // Of an object whose overrides lead to a call: code of the program that has it is asked for itself, code of .NET calls them.
    private static readonly KeptSignal s_overriding = new(SignalFamilies.Overriding, IsByField: false);

    private static readonly string[] s_keeping =
    [
        "System.Collections.", "System.Threading.Channels.", "System.Tuple<", "System.ValueTuple<", Lazies, "System.WeakReference",
        "System.Runtime.CompilerServices.StrongBox<", "System.Runtime.CompilerServices.ConditionalWeakTable<",
        Container, "Nito.AsyncEx.DefaultAsyncWaitQueue<", "Nito.Collections.",
    ];

    private readonly Dictionary<ulong, KeptSignal?> _signals = [];
    private readonly Dictionary<ulong, string?> _entries = [];
    private readonly Dictionary<SignalKind, int?> _codes = [];
    private readonly Dictionary<SignalKind, bool> _byMaker = [];
    private readonly Dictionary<int, CodeUse> _uses = [];
    private readonly List<KeptSignal> _kept = [];

    /// <summary>The object is waited for as one of that family, which its type does not tell. As one of two it is none.</summary>
    public void Mark(ulong address, SignalFamily family, ConstructedType? type = null)
        => _signals[address] = _signals.TryGetValue(address, out KeptSignal? known) && known?.Family != family
            ? null
            : new KeptSignal(family, IsByField: true, type);

    /// <summary>The same for a queue that is waited for at one of its ends.</summary>
    public void Mark(Awaited queue)
    {
        bool isRead = queue.End == FlowQueueEnd.Reader;
        if (queue.Kind == FlowWaitKind.Channel)
        {
            SignalFamily family = isRead ? SignalFamilies.Writer : SignalFamilies.Reader;
            Mark(queue.Address, family, queue.Type is { } type ? ConstructedType.OfItems(family, type) : null);
        }
        else if (queue.Kind == FlowWaitKind.Pipe)
        {
            Mark(queue.Address, isRead ? SignalFamilies.PipeWriter : SignalFamilies.PipeReader);
        }
    }

    /// <summary>Those that wait for the object have asked for it by that method. To be called before what signals it is asked.</summary>
    public void MarkEntry(ulong address, string method)
        => _entries[address] = _entries.TryGetValue(address, out string? known) && known != method ? null : method;

    /// <summary>What completes the task is asked for by the same method.</summary>
    public void HandOn(ulong task, ulong source)
    {
        if (_entries.GetValueOrDefault(task) is { } entry)
        {
            MarkEntry(source, entry);
        }
    }

    /// <summary>The same signal, with the method by which those have asked that wait for the object.</summary>
    public KeptSignal WithEntry(KeptSignal signal, ulong address) => signal with { Entry = _entries.GetValueOrDefault(address) };

    /// <summary>What the node stands for is signalled by such calls; null where having it is enough.</summary>
    public KeptSignal? SignalOf(int node)
    {
        if (graph.KeyOfKeeper(node) is { } key)
        {
            return _kept[key];
        }

        ulong address = graph.AddressOf(node);
        if (!_signals.TryGetValue(address, out KeptSignal? signal))
        {
            ClrType? type = heap.GetObject(address).Type;
            signal = DelegateVisitor.IsDelegate(type) && type?.Name is { } name
                ? new KeptSignal(SignalFamilies.Delegates(name), IsByField: true)
                : ByType(type);
            signal = signal is { } own ? WithEntry(own, address) : null;
            _signals.Add(address, signal);
        }

        return signal;
    }

    /// <summary>
    /// What signals the object which the holder, that is signalled by calls itself, has for its own waits, as a countdown has an event; of
    /// an item in a collection that needs no signal itself, who takes it out. Null where it is no such holder, or the item needs one.
    /// </summary>
    public static KeptSignal? Owned(ClrObject holder, ulong target, bool isSignalled)
    {
        KeptSignal? signal = ByType(holder.Type);
        return signal?.Family.Room is not { } room ? signal
            : IsIn(signal.Value.Family.RoomFields) ? new KeptSignal(room, IsByField: true)
            : !IsIn(signal.Value.Family.ItemFields) ? signal
            : isSignalled ? null
            : new KeptSignal(room, IsByField: true);

        bool IsIn(IReadOnlyList<string> fields) => fields.Count > 0 && holder.Reference([.. fields]).Address == target;
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

        SignalKind kind = KindOf(known, field);
        if (!_codes.TryGetValue(kind, out int? code))
        {
            code = Enter(kind);
            _codes.Add(kind, code);
        }

        return code;
    }

    /// <summary>Who comes, on every way that it can take, to a call on what the field holds.</summary>
    public IReadOnlyList<ulong> SureOf(KeptSignal? signal, string? field)
        => signal is { IsByField: true, Family: var family } && field is not null && Whole is { } known
            ? known.Givers.SureOf(new SignalKind(family, field) { IsExact = true, Type = signal.Value.Type })
            : [];

    /// <summary>The same, to a call on what a variable holds.</summary>
    public IReadOnlyList<ulong> SureInVariables(KeptSignal signal)
        => Whole is { } known ? known.Givers.SureOf(new SignalKind(signal.Family) { IsExact = true, Type = signal.Type }) : [];

    /// <summary>The code that signals it, also where anybody may come there; null where that is not known.</summary>
    /// <inheritdoc cref="CodeOf"/>
    public CodeUse? WorkOf(KeptSignal signal, string? field)
        => code()?.Givers.Find(KindOf(signal, field));

    /// <summary>Who can come to that code; null for what is no code.</summary>
    public CodeUse? UseOf(int? code) => code is { } node && _uses.TryGetValue(node, out CodeUse? use) ? use : null;

    /// <summary>Only the program's own calls signal what the object has.</summary>
    public static bool IsOfProgram(ClrObject holder) => holder.Type?.Name is { } name && !Frameworks.IsOwn(name);

    /// <summary>The holder keeps what is signalled so and does nothing with it, as a list; null for any other.</summary>
    public static KeptSignal? Kept(ClrObject holder, KeptSignal signal)
        => DelegateVisitor.IsDelegate(holder.Type) ? (signal.Family.IsDelegate ? signal : null)
            : !Keeps(holder) || (signal.Family.IsDelegate && holder.Type?.Name?.StartsWith(Lazies, StringComparison.Ordinal) == true) ? null
            // The list of a delegate that stands for several is called as one.
            : holder.Type!.IsArray && signal.Family.IsDelegate ? signal
            : signal with { IsByField = false, IsInNoField = true };

    /// <summary>Who finds it where it is kept does not signal it: only the method that has made it does, and those that it hands it to.</summary>
    public bool IsSignalledByMaker(KeptSignal kept)
    {
        SignalKind kind = KindOf(kept, field: null);
        if (!_byMaker.TryGetValue(kind, out bool isByMaker))
        {
            isByMaker = kept.Family.IsByType && !kept.Family.IsDelegate && kept.Type is not null && Whole is { } known
                && !known.Graph.Signals.HandingOut(kept.Family).Any(known.Graph.IsOpen)
                && known.Graph.Signals.AreFresh(kind);
            _byMaker.Add(kind, isByMaker);
        }

        return isByMaker;
    }

    /// <summary>It keeps objects and does nothing with them.</summary>
    public static bool Keeps(ClrObject holder)
        => holder.Type is { } type
            && (type.IsArray || Array.Exists(s_keeping, prefix => type.Name?.StartsWith(prefix, StringComparison.Ordinal) == true));

    private static SignalKind KindOf(KeptSignal signal, string? field)
        => new(signal.Family, signal.IsByField ? field : null)
        {
            IsInNoField = signal.IsInNoField, IsOfProgram = signal.IsOfProgram, Type = signal.Type, Entry = signal.Entry,
        };

    private ProgramUsers? Whole => code()?.Whole;

    private int? Enter(SignalKind kind)
    {
        if (Whole?.Givers.Of(kind) is not { } use)
        {
            return null;
        }

        int node = graph.Of(FirstCode + (ulong)_codes.Count, out _);
        _uses.Add(node, use);
        foreach (ulong user in use.By)
        {
            graph.Link(enter(user), node);
        }

        foreach (ulong found in use.Objects)
        {
            graph.Link(enterKept(found, s_overriding), node);
        }

        return node;
    }

    private static KeptSignal? ByType(ClrType? type)
    {
        foreach (ClrType own in type.WithBases(MostBases))
        {
            if (own.Name is { } name && SignalFamilies.Of(name) is { } family)
            {
                ConstructedType? named = family.IsByType ? ConstructedType.Of(name, isVariant: false)
                    : family.IsByElement ? ConstructedType.OfItems(family, name)
                    : null;
                return new KeptSignal(family, IsByField: true, named);
            }
        }

        return null;
    }
}
