using HangTriage.Capture.Managed.Fields;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Finds an async method that has the semaphore in a variable, and awaits, over methods that do not know it, one that waits for it: who
/// gets at it anew, below, does not know that it is taken already. Who hands the semaphore on to a method that enters it for him is none.
/// </summary>
internal sealed class SemaphoreTakers(ClrHeap heap, FlowChains chains)
{
    private const int MostWaiting = 64;
    private const int MostSteps = 256;
    private const int MostFields = 64;
    private const string This = "<>4__this";
    private const string OfCompiler = "<>";

    /// <param name="semaphore">Of one entry, which is taken.</param>
    /// <param name="waiting">The boxes of the methods that wait for it.</param>
    public FlowTaker? Of(ulong semaphore, IReadOnlyList<ulong> waiting)
        => waiting.Take(MostWaiting).Select(box => Above(box, semaphore)).FirstOrDefault(found => found is not null);

    private FlowTaker? Above(ulong waiting, ulong semaphore)
    {
        bool isLost = false;
        foreach (FlowBox above in chains.Above(waiting).Take(MostSteps))
        {
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

    /// <summary>
    /// The variable in which it has the object: a reference, or a structure with one, as what is disposed of to give the entry back. Null
    /// where it has none.
    /// </summary>
    public static string? VariableOf(ClrHeap heap, FlowBox flow, ulong target)
    {
        IEnumerable<(ulong Address, string Name)> variables = FlowVariables.Of(heap, flow).Where(variable => variable.Name != This);
        if (variables.FirstOrDefault(variable => variable.Address == target) is { Name: { } name })
        {
            return FieldNames.Plain(name);
        }

        (ulong machine, bool isInside) = FlowVariables.MachineOf(heap, flow);
        return (machine == 0 ? [] : flow.Method!.Machine.Fields.Take(MostFields))
            .FirstOrDefault(field => field is { IsValueType: true, Name: { } own, Type: not null }
                && !own.StartsWith(OfCompiler, StringComparison.Ordinal)
                && field.Type!.Fields.Take(MostFields).Any(part => part.IsObjectReference
                    && part.ReadObject(field.GetAddress(machine, isInside), interior: true).Address == target))?.Name is { } found
            ? FieldNames.Plain(found)
            : null;
    }
}
