using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>An async method, and where its state machine keeps what matters.</summary>
internal sealed class FlowMethod
{
    private const string AwaiterPrefix = "<>u__";

    private FlowMethod(ClrType machine, string name)
    {
        Machine = machine;
        Name = name;
        IsOfBaseLibrary = Frameworks.IsOfBaseLibrary(name);
        State = FieldOffsets.Number(machine, "<>1__state");
        Awaiters = [.. machine.Fields.Where(field => field.Name?.StartsWith(AwaiterPrefix, StringComparison.Ordinal) == true).SelectMany(field => FieldOffsets.References(field, 0))];
    }

    private FlowMethod(ClrType task)
    {
        Machine = task;
        Name = TaskCalls.OfOperation;
        IsOfBaseLibrary = true;
        IsOperation = true;
        State = -1;
        Awaiters = [FieldOffsets.Reference(task, OperationTask.SourceField)];
    }

    /// <summary>The type of the state machine; of the task where that stands for an operation.</summary>
    public ClrType Machine { get; }

    /// <summary>As "App.CatalogCache.GetAsync".</summary>
    public string Name { get; }

    public bool IsOfBaseLibrary { get; }

    /// <summary>
    /// None is run: the task stands for an operation of a channel, a pipe, a timer or a socket, and completes as if it awaited that.
    /// </summary>
    public bool IsOperation { get; }

    /// <summary>Offset of the state; -1 where it has none.</summary>
    public int State { get; }

    /// <summary>Offsets of every reference that an awaiter holds: one that is not null is what the method awaits.</summary>
    public IReadOnlyList<int> Awaiters { get; }

    /// <summary>The method whose instructions are those of the state machine; 0 where it is not found.</summary>
    public int MoveNextToken => Machine.Methods.FirstOrDefault(method => method.Name == "MoveNext")?.MetadataToken ?? 0;

    /// <summary>Null for a type that is no state machine of the compiler's.</summary>
    public static FlowMethod? Of(ClrType? machine)
        => machine?.Name is { } name && machine.GetFieldByName("<>1__state") is not null
            ? new FlowMethod(machine, StateMachine.MethodOfMachine(name) ?? name)
            : null;

    /// <summary>What ValueTask.AsTask makes of an operation; null for another type.</summary>
    public static FlowMethod? OfOperation(ClrType type)
        => OperationTask.IsName(type.Name) && FieldOffsets.Reference(type, OperationTask.SourceField) >= 0 ? new FlowMethod(type) : null;
}
