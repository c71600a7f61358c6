using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>What the state machine of a suspended async method refers to, but for its awaiters.</summary>
internal static class FlowVariables
{
    /// <summary>The field of the object whose method it is.</summary>
    public const string This = "<>4__this";

    private const int Most = 64;

    /// <summary>Where the state machine is, 0 where it is not found, and whether it lies in its box.</summary>
    public static (ulong Address, bool IsInside) MachineOf(ClrHeap heap, FlowBox flow)
        => flow.Machine != 0
            ? (flow.Machine, false)
            : (heap.GetObject(flow.Address).Type?.GetFieldByName("StateMachine")?.GetAddress(flow.Address) ?? 0, true);

    /// <summary>The structures, with the names of the fields as the compiler made them, and the objects that each refers to itself.</summary>
    /// <remarks>They are read when they are asked for.</remarks>
    public static IEnumerable<(ClrType Type, string Name, IEnumerable<ClrObject> Parts)> StructuresOf(ClrHeap heap, FlowBox flow)
    {
        (ulong machine, bool isInside) = MachineOf(heap, flow);
        foreach (ClrInstanceField field in machine == 0 ? [] : flow.Method!.Machine.Fields.Take(Most))
        {
            if (field is { IsValueType: true, Type: { } type, Name: { } name })
            {
                ulong address = field.GetAddress(machine, isInside);
                yield return (
                    type, name, type.Fields.Take(Most).Where(part => part.IsObjectReference).Select(part => part.ReadObject(address, interior: true)));
            }
        }
    }

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
