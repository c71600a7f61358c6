using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Says whether an async method has set a timer that cancels the tokens which it gave to those that it awaits.</summary>
/// <remarks>dotnet/runtime: CancellationTokenSource.cs; CancelAfter and the constructor with a timeout set _timer.</remarks>
internal static class CancelTimers
{
    private const string Source = "System.Threading.CancellationTokenSource";
    private const int NotCancelled = 0;

    /// <summary>A variable of the method is a source of tokens that is not cancelled, and that a timer is to cancel.</summary>
    public static bool IsSetBy(ClrHeap heap, FlowBox flow)
        => FlowVariables.Of(heap, flow).Select(variable => heap.GetObject(variable.Address)).Any(IsTimed);

    private static bool IsTimed(ClrObject found)
        => found.Type?.Name is Source && found.Number("_state") is NotCancelled && !found.Reference("_timer").IsNull;
}
