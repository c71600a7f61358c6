using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Under which key what is waited for is filed, as a reply under the number of its request, and whether somebody has that key: of many who
/// work on requests it is he who works on this one.
/// </summary>
internal sealed class ReachKeys(ReachGraph graph, ClrHeap heap, IDataReader reader)
{
    // What is waited for, its source, an object of the program's around that, and the entry.
    private const int MostLevels = 4;
    private const int MostHolders = 64;
    private const int MostEntries = 65_536;
    private const int MostObjects = 512;
    private const int Deepest = 2;
    private const string ConcurrentEntry = "System.Collections.Concurrent.ConcurrentDictionary<";
    private static readonly string[] s_ofCompiler = ["<>1__state", "<>t__", "<>u__"];
    private const string Entry = "System.Collections.Generic.Dictionary<";

    /// <summary>Null where no dictionary has it; empty where one has, and the key cannot be told.</summary>
    public IReadOnlyCollection<KeyValue>? Of(int target)
    {
        HashSet<KeyValue> keys = [];
        bool isFiled = false;
        HashSet<int> seen = [target];
        List<int> level = [target];
        for (int step = 0; step < MostLevels && level.Count > 0; step++)
        {
            List<int> next = [];
            foreach ((int from, int to) in level.SelectMany(to => graph.LeadingTo(to).Select(from => (from, to))).Take(MostHolders))
            {
                ClrObject holder = heap.GetObject(graph.AddressOf(from));
                if (IsEntry(holder))
                {
                    isFiled = true;
                    keys.UnionWith(KeysOf(holder, graph.AddressOf(to)));
                }
                else if (holder.Type is { IsArray: false } && seen.Add(from))
                {
                    next.Add(from);
                }
            }

            level = next;
        }

        return isFiled ? keys : null;
    }

    /// <summary>
    /// One of the objects is the key or has it, or another that one of them has. What leads to what is waited for, as the service that
    /// counts its requests, is none: it has the numbers of all.
    /// </summary>
    public bool Have(IEnumerable<ulong> objects, IReadOnlyCollection<KeyValue> keys)
    {
        HashSet<ulong> seen = [];
        ClrObject[] level = [.. objects.Select(heap.GetObject)];
        for (int depth = 0; depth <= Deepest; depth++)
        {
            List<ClrObject> next = [];
            foreach (ClrObject found in level.Where(found => IsOther(found) && seen.Add(found.Address)).Take(MostObjects))
            {
                if (Is(found, keys) || found.Type!.Fields.Any(field => Is(field, found.Address, isInside: false, keys)))
                {
                    return true;
                }

                // Where the replies are kept has all keys.
                next.AddRange(ReachGates.Keeps(found) ? [] : ObjectFields.ReferencesOf(found));
            }

            level = [.. next];
        }

        return false;
    }

    /// <summary>A variable of the async method is the key or has it.</summary>
    public bool Has(FlowBox flow, IReadOnlyCollection<KeyValue> keys)
    {
        (ulong machine, bool isInside) = FlowVariables.MachineOf(heap, flow);
        return machine != 0
            && (flow.Method!.Machine.Fields.Any(field => IsVariable(field) && Is(field, machine, isInside, keys))
                || Have(FlowVariables.Of(heap, flow).Select(variable => variable.Address), keys));
    }

    private bool IsOther(ClrObject found) => found.Type is { IsArray: false } && graph.Find(found.Address) is null;

    // The compiler's own: where the method is suspended, its builder, what it awaits.
    private static bool IsVariable(ClrInstanceField field)
        => field.Name is { } name && !Array.Exists(s_ofCompiler, start => name.StartsWith(start, StringComparison.Ordinal));

    private bool Is(ClrInstanceField field, ulong holder, bool isInside, IReadOnlyCollection<KeyValue> keys)
        => KeyValue.Of(reader, field, holder, isInside) is { } value && keys.Contains(value);

    private static bool Is(ClrObject found, IReadOnlyCollection<KeyValue> keys) => KeyValue.Of(found) is { } value && keys.Contains(value);

    private static bool IsEntry(ClrObject holder)
        => holder.Type is { Name: { } name } type
            && (type.IsArray ? name.StartsWith(Entry, StringComparison.Ordinal)
                : name.StartsWith(ConcurrentEntry, StringComparison.Ordinal) && type.GetFieldByName("_value") is not null);

    private IEnumerable<KeyValue> KeysOf(ClrObject holder, ulong value)
    {
        if (!holder.IsArray)
        {
            return holder.Type!.GetFieldByName("_key") is { } key && KeyValue.Of(reader, key, holder.Address, isInside: false) is { } known
                ? [known] : [];
        }

        ClrType? entry = holder.Type!.ComponentType;
        return entry?.GetFieldByName("value") is not { IsObjectReference: true } kept || entry.GetFieldByName("key") is not { } name
            ? []
            : Enumerable.Range(0, Math.Min(holder.AsArray().Length, MostEntries))
                .Select(index => holder.Type.GetArrayElementAddress(holder.Address, index))
                .Where(at => kept.ReadObject(at, interior: true).Address == value)
                .Select(at => KeyValue.Of(reader, name, at, isInside: true))
                .OfType<KeyValue>();
    }
}
