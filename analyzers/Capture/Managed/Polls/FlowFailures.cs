using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Locks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Finds async methods that wait before they try again: the method goes round the loop of its await, and a variable has the exception that
/// the last try ended with.
/// </summary>
/// <remarks>
/// The compiler keeps the exception of a catch block that awaits in a field of the state machine, and clears it behind the block. Polly 8
/// keeps it in an Outcome, Polly 7 in a DelegateResult, both over or beside an ExceptionDispatchInfo.
/// </remarks>
internal sealed class FlowFailures(IlModules modules, ClrHeap heap)
{
    private const string Exceptions = "System.Exception";
    private const string Cancellation = "System.OperationCanceledException";
    private const int MostFields = 64;
    private const int Deepest = 2;

    /// <summary>
    /// The type of the exception, as "System.Net.Sockets.SocketException"; null where the method holds none, or is in no loop.
    /// </summary>
    public string? Of(FlowBox flow)
        => flow.Method is { MoveNextToken: not 0 and int token } method
            && modules.Of(method.Machine) is { } module
            && module.Body(token) is var body
            && FlowPolls.AwaitOf(module, body, flow.State) is { } at
            && IlLoops.Around(body, at) is not null
            && FlowVariables.MachineOf(heap, flow) is var (address, isInside) && address != 0
                ? In(method.Machine, address, isInside, Deepest)
                : null;

    private static string? In(ClrType type, ulong address, bool isInside, int depth)
        => type.Fields.Take(MostFields)
            .Select(field => field.IsObjectReference ? Of(field.ReadObject(address, isInside), depth)
                : field is { IsValueType: true, Type: { } inner } && depth > 0
                    ? In(inner, field.GetAddress(address, isInside), isInside: true, depth - 1)
                : null)
            .FirstOrDefault(found => found is not null);

    private static string? Of(ClrObject found, int depth)
        => found.Type is not { } type ? null
            : StackObjects.Is(type, Exceptions) ? StackObjects.Is(type, Cancellation) ? null : type.Name
            : depth > 0 && type.Name is { } name && Holds(name) ? In(type, found.Address, isInside: false, depth - 1)
            : null;

    private static bool Holds(string type)
        => type == "System.Runtime.ExceptionServices.ExceptionDispatchInfo"
            || type.StartsWith("Polly.DelegateResult<", StringComparison.Ordinal);
}
