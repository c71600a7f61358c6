using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What the state machine of a suspended async method refers to, but for its awaiters.</summary>
internal static class FlowVariables
{
    private const int Most = 64;

    /// <summary>Where the state machine is, 0 where it is not found, and whether it lies in its box.</summary>
    public static (ulong Address, bool IsInside) MachineOf(ClrHeap heap, FlowBox flow)
        => flow.Machine != 0
            ? (flow.Machine, false)
            : (heap.GetObject(flow.Address).Type?.GetFieldByName("StateMachine")?.GetAddress(flow.Address) ?? 0, true);

    /// <summary>The objects and the names of the fields, as the compiler made them: "&lt;&gt;4__this", "&lt;cts&gt;5__2".</summary>
    public static IEnumerable<(ulong Address, string Name)> Of(ClrHeap heap, FlowBox flow)
    {
        ClrType machine = flow.Method!.Machine;
        (ulong address, bool isInside) = MachineOf(heap, flow);
        foreach (ClrInstanceField field in address == 0 ? [] : machine.Fields.Take(Most))
        {
            if (field is { IsObjectReference: true, Name: { } name } && !name.StartsWith("<>u__", StringComparison.Ordinal)
                && field.ReadObject(address, isInside).Address is not 0 and ulong value)
            {
                yield return (value, name);
            }
        }
    }
}
