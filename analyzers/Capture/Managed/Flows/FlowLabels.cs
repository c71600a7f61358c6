using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Which field holds what a flow waits for: one of the object that its method, or one that awaits it, is of; a static one of
/// that type; one of what these refer to; at last a variable of the method.
/// </summary>
internal sealed class FlowLabels(ClrRuntime runtime)
{
    private const int MostCallers = 4;
    private const int MostHolders = 64;
    private const int MostParts = 4;

    // A TaskCompletionSource has its task, a reader its channel, a pipe's end its pipe.
    private static readonly string[] s_holding = ["_task", "_parent", "_pipe", "<Reader>k__BackingField"];

    private readonly Dictionary<ulong, IReadOnlyList<(ulong Address, string Name)>> _statics = [];

    /// <summary>Null where none of these holds it.</summary>
    public string? Find(ulong target, FlowBox sample, IReadOnlyList<FlowBox> awaitedBy)
    {
        FlowBox[] flows = [sample, .. awaitedBy.Take(MostCallers)];
        foreach (FlowBox flow in flows)
        {
            if (OfFields(target, flow) is { } name)
            {
                return name;
            }
        }

        return flows.Select(flow => OfVariable(target, flow)).FirstOrDefault(name => name is not null);
    }

    private string? OfFields(ulong target, FlowBox flow)
    {
        ClrObject[] held = [.. FlowVariables.Of(runtime.Heap, flow).Where(variable => IsOuter(variable.Name)).Select(variable => runtime.Heap.GetObject(variable.Address))];
        IEnumerable<(ulong Address, string Name)> fields = held.SelectMany(holder => FieldNames.ReferencesOf(holder.Address, holder.Type));
        (ulong Address, string Name)[] near = [.. fields.Concat(StaticsOf(flow.Method!.Machine)).Take(MostHolders * 4)];
        return Holding(target, near)
            ?? Holding(target, near.Take(MostHolders).Where(field => IsClosure(field.Address)).SelectMany(field => FieldNames.ReferencesOf(field.Address, runtime.Heap.GetObjectType(field.Address))));
    }

    private string? OfVariable(ulong target, FlowBox flow)
        => Holding(target, FlowVariables.Of(runtime.Heap, flow)
            .Where(variable => !IsOuter(variable.Name))
            .Select(variable => (variable.Address, FieldNames.Plain(variable.Name))));

    private string? Holding(ulong target, IEnumerable<(ulong Address, string Name)> fields)
    {
        foreach ((ulong address, string name) in fields)
        {
            if (address == target || (runtime.Heap.GetObjectType(address) is { } type && s_holding.Any(part => Refers(type, address, part, target))))
            {
                return name;
            }

            if (IsCompletionOf(runtime.Heap.GetObject(address), target))
            {
                return $"{name}.Completion";
            }
        }

        return null;
    }

    // A block is made of parts of its own, of which one has the promise; what it is linked to is no part of it.
    private static bool IsCompletionOf(ClrObject block, ulong target, int depth = MostParts)
        => block.Type?.Name?.StartsWith(depth == MostParts ? DataflowCalls.Blocks : string.Empty, StringComparison.Ordinal) == true
            && (block.Address == target || (depth > 0 && DataflowCalls.Parts.Any(part => block.Reference(part) is { IsNull: false } inner && IsCompletionOf(inner, target, depth - 1))));

    private static bool Refers(ClrType holder, ulong address, string part, ulong target)
        => holder.GetFieldByName(part) is { IsObjectReference: true } field && field.ReadObject(address, interior: false).Address == target;

    // The object that the method is of, and the closure of a lambda.
    private static bool IsOuter(string name) => name is "<>4__this" || name.StartsWith("<>8__", StringComparison.Ordinal);

    private bool IsClosure(ulong address) => FieldNames.IsOfClosure(runtime.Heap.GetObjectType(address));

    private IReadOnlyList<(ulong Address, string Name)> StaticsOf(ClrType machine)
    {
        if (!_statics.TryGetValue(machine.MethodTable, out IReadOnlyList<(ulong Address, string Name)>? known))
        {
            known = machine.Name is { } name && name.IndexOf('+', StringComparison.Ordinal) is > 0 and int nested && machine.Module?.GetTypeByName(name[..nested]) is { } outer
                ? [.. outer.StaticFields.Where(field => field.IsObjectReference)
                    .SelectMany(field => runtime.AppDomains.Select(domain => (field.ReadObject(domain).Address, FieldNames.Of(outer, field))))
                    .Where(reference => reference.Address != 0)]
                : [];
            _statics.Add(machine.MethodTable, known);
        }

        return known;
    }
}
