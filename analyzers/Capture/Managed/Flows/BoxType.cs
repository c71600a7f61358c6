using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>A type of boxes of async state machines, or of tasks that stand for an operation, and where they keep what matters.</summary>
internal sealed class BoxType
{
    private const string Machine = "StateMachine";

    private BoxType(ClrType type, FlowMethod? method)
    {
        Flags = FieldOffsets.Number(type, "m_stateFlags");
        Continuation = FieldOffsets.Reference(type, "m_continuationObject");
        Method = method;
    }

    private BoxType(ClrType type, ClrInstanceField machine)
        : this(type, machine.IsObjectReference ? null : FlowMethod.Of(machine.Type))
    {
        MachineOffset = machine.Offset;
        if (Flags < 0 && type.GetFieldByName("_valueTaskSource") is { } core)
        {
            Context = FieldOffsets.Reference(type, "Context");
            Completed = Inside(core, "_completed", FieldOffsets.Number);
            Continuation = Inside(core, "_continuationState", static (inner, name) => FieldOffsets.Reference(inner, name));
        }
    }

    /// <summary>Null where each box refers to a state machine of its own type: unoptimised code, async iterators.</summary>
    public FlowMethod? Method { get; }

    /// <summary>Offset of the state machine, or of the reference to it.</summary>
    public int MachineOffset { get; }

    /// <summary>Offset of Task.m_stateFlags; -1 for the box of a pooled ValueTask, which is no task.</summary>
    public int Flags { get; }

    /// <summary>Offset of what continues when the method ends.</summary>
    public int Continuation { get; }

    /// <summary>For the box of a pooled ValueTask: offset of the flag that it has completed, and of its execution context, which it has while it is in use.</summary>
    public int Completed { get; } = -1;

    /// <inheritdoc cref="Completed"/>
    public int Context { get; } = -1;

    /// <summary>Null for another type.</summary>
    public static BoxType? Of(ClrType type)
        => type.Name is { } name && StateMachine.IsNameOfBox(name) && type.GetFieldByName(Machine) is { } machine
            ? new BoxType(type, machine)
            : FlowMethod.OfOperation(type) is { } operation ? new BoxType(type, operation)
            : null;

    private static int Inside(ClrInstanceField core, string name, Func<ClrType?, string, int> offset)
        => offset(core.Type, name) is >= 0 and int inner ? core.Offset + inner : -1;
}
