using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>The timers of cancellation token sources that are variables of an async method.</summary>
internal static class CancelTimers
{
    /// <summary>
    /// A variable of the method is a source of tokens that is not cancelled, and that a timer is to cancel soon enough that somebody may wait
    /// for that.
    /// </summary>
    public static bool IsSetBy(ClrHeap heap, FlowBox flow)
        => FlowVariables.Of(heap, flow).Select(variable => heap.GetObject(variable.Address)).Any(IsTimed);

    private static bool IsTimed(ClrObject found) => TokenSources.Is(found.Type) && TokenSources.SetFor(found) is { } time && WaitLimit.Ends(time);
}
