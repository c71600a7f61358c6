using HangTriage.Capture.Managed.Fields;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Finds an async method that has the semaphore in a variable, and awaits, over methods that do not know it, one that waits for it: who
/// gets at it anew, below, does not know that it is taken already. Who hands the semaphore on to a method that enters it for him is none.
/// Or one that has what gives an entry back, and awaits one that waits for the next; or one that waits for it under another name.
/// </summary>
internal sealed class SemaphoreTakers(ClrHeap heap, FlowBoxes boxes, FlowChains chains)
{
    private const int MostWaiting = 1024;
    private const int MostSteps = 256;
    private const int MostWrappers = 2;
    private const string OfCompiler = "<>";

    private readonly SemaphoreLeases _leases = new(heap, boxes);

    /// <param name="semaphore">Of one entry, which is taken.</param>
    /// <param name="waiting">The boxes of the methods that wait for it.</param>
    public FlowTaker? Of(ulong semaphore, IReadOnlyList<ulong> waiting)
        => waiting.Take(MostWaiting).Select(box => Above(box, semaphore)).FirstOrDefault(found => found is not null);

    /// <summary>Another async method that has what gives an entry back; null where none is seen to.</summary>
    /// <param name="semaphore">Whose entries are all taken.</param>
    /// <param name="waiting">The boxes of the methods that wait for it.</param>
    public (FlowBox Flow, string Variable)? HolderOf(ulong semaphore, IReadOnlyList<ulong> waiting)
    {
        HashSet<ulong> waiters = [.. waiting];
        string[] types =
        [
            .. waiting.Take(1).Select(boxes.Find).OfType<FlowBox>()
                .SelectMany(box => chains.Above(box.Address).Take(MostWrappers).Prepend(box))
                .Select(_leases.TypeOf),
        ];
        return _leases.HoldersOf(semaphore, types)
            .Where(holder => !waiters.Contains(holder.Flow.Address))
            .Cast<(FlowBox, string)?>()
            .FirstOrDefault();
    }

    private FlowTaker? Above(ulong waiting, ulong semaphore)
    {
        if (boxes.Find(waiting) is not { } box)
        {
            return null;
        }

        if (OtherNameOf(box, semaphore) is { } same)
        {
            return new FlowTaker(new Address(waiting), box.Method!.Name, same) { IsItself = true };
        }

        bool isLost = false;
        List<string> types = [_leases.TypeOf(box)];
        foreach (FlowBox above in chains.Above(waiting).Take(MostSteps))
        {
            if (_leases.VariableOf(above, semaphore, types) is { } lease)
            {
                return new FlowTaker(new Address(above.Address), above.Method!.Name, lease);
            }

            types.Add(_leases.TypeOf(above));
            string? variable = VariableOf(heap, above, semaphore);

            // What it has come by at its first await it has not entered yet.
            if (variable is not null && isLost && above.State > 0)
            {
                return new FlowTaker(new Address(above.Address), above.Method!.Name, variable);
            }

            isLost |= variable is null;
        }

        return null;
    }

    // The first of two variables that have the same semaphore, of a method that is past its first await.
    private string? OtherNameOf(FlowBox waiting, ulong semaphore)
        => waiting.State <= 0 ? null
            : FlowVariables.Of(heap, waiting).Where(variable => variable.Name != FlowVariables.This && variable.Address == semaphore)
                .Select(variable => FieldNames.Plain(variable.Name)).Distinct().ToArray() is [var first, _, ..] ? first : null;

    /// <summary>
    /// The variable in which it has the object: a reference, or a structure with one, as what is disposed of to give the entry back. Null
    /// where it has none.
    /// </summary>
    public static string? VariableOf(ClrHeap heap, FlowBox flow, ulong target)
    {
        IEnumerable<(ulong Address, string Name)> variables = FlowVariables.Of(heap, flow).Where(variable => variable.Name != FlowVariables.This);
        if (variables.FirstOrDefault(variable => variable.Address == target) is { Name: { } name })
        {
            return FieldNames.Plain(name);
        }

        return FlowVariables.StructuresOf(heap, flow)
                .FirstOrDefault(held => !held.Name.StartsWith(OfCompiler, StringComparison.Ordinal)
                    && held.Parts.Any(part => part.Address == target)).Name is { } found
            ? FieldNames.Plain(found)
            : null;
    }
}
