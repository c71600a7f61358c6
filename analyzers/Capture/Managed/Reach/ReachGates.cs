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
    private const int MostBases = 8;

    // BlockingCollection: the semaphore of those that wait for room in it.
    private static readonly string[] s_freeRoom = ["_freeNodes", "m_freeNodes"];

    // No object stands so low.
    private const ulong FirstCode = 1;

    private static readonly string[] s_keeping =
    [
        "System.Collections.", "System.Threading.Channels.", "System.Tuple<", "System.ValueTuple<", "System.Lazy<", "System.WeakReference",
        "System.Runtime.CompilerServices.StrongBox<", "System.Runtime.CompilerServices.ConditionalWeakTable<",
    ];

    private readonly Dictionary<ulong, SignalFamily?> _families = [];
    private readonly Dictionary<SignalFamily, int?> _codes = [];
    private readonly Dictionary<int, CodeUse> _uses = [];

    /// <summary>The object is waited for as one of that family, which its type does not tell. As one of two it is none.</summary>
    public void Mark(ulong address, SignalFamily family)
        => _families[address] = _families.TryGetValue(address, out SignalFamily? known) && known != family ? null : family;

    /// <summary>The same for a queue that is waited for at one of its ends.</summary>
    public void Mark(Awaited queue)
    {
        if (queue.Kind == FlowWaitKind.Channel)
        {
            Mark(queue.Address, queue.End == FlowQueueEnd.Reader ? SignalFamilies.Writer : SignalFamilies.Reader);
        }
    }

    /// <summary>The node of the code that signals such an object; null where anybody may come there.</summary>
    public int? CodeOf(ulong address)
    {
        if (!_families.TryGetValue(address, out SignalFamily? family))
        {
            family = ByType(heap.GetObject(address).Type);
            _families.Add(address, family);
        }

        return family is null ? null : Find(family);
    }

    /// <summary>
    /// The same of what the holder, which is signalled by calls itself, has for its own waits, as a countdown has an event; null where it is
    /// no such holder.
    /// </summary>
    /// <param name="holder">The holder.</param>
    /// <param name="target">What it has.</param>
    /// <param name="code">The node of the code; null where anybody may come there.</param>
    public bool IsOwner(ClrObject holder, ulong target, out int? code)
    {
        SignalFamily? family = ByType(holder.Type);
        if (family == SignalFamilies.Filled && holder.Reference(s_freeRoom).Address == target)
        {
            family = SignalFamilies.Emptied;
        }

        code = family is null ? null : Find(family);
        return family is not null;
    }

    /// <summary>Who can come to that code; null for what is no code.</summary>
    public CodeUse? UseOf(int? code) => code is { } node && _uses.TryGetValue(node, out CodeUse? use) ? use : null;

    /// <summary>Only the program's own calls signal what the object has.</summary>
    public static bool IsOfProgram(ClrObject holder) => holder.Type?.Name is { } name && !Frameworks.IsOwn(name);

    /// <summary>It keeps objects and does nothing with them.</summary>
    public static bool Keeps(ClrObject holder)
        => holder.IsArray || (holder.Type?.Name is { } name && Array.Exists(s_keeping, prefix => name.StartsWith(prefix, StringComparison.Ordinal)));

    private int? Find(SignalFamily family)
    {
        if (!_codes.TryGetValue(family, out int? code))
        {
            code = Enter(family);
            _codes.Add(family, code);
        }

        return code;
    }

    private int? Enter(SignalFamily family)
    {
        if (users()?.Givers.Of(family) is not { } use)
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
