using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What the state machine of a suspended async method refers to, but for its awaiters.</summary>
internal static class FlowVariables
{
    private const int Most = 64;

    /// <summary>The objects and the names of the fields, as the compiler made them: "&lt;&gt;4__this", "&lt;cts&gt;5__2".</summary>
    public static IEnumerable<(ulong Address, string Name)> Of(ClrHeap heap, FlowBox flow)
    {
        ClrType machine = flow.Method!.Machine;
        bool isInside = flow.Machine == 0;
        ulong address = flow.Machine;
        if (isInside)
        {
            ClrObject box = heap.GetObject(flow.Address);
            address = box.Type?.GetFieldByName("StateMachine")?.GetAddress(flow.Address) ?? 0;
        }

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
