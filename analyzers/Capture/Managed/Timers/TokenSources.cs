using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Timers;

/// <summary>Sources of cancellation tokens, the timers that are to cancel them, and whom they tell.</summary>
/// <remarks>
/// dotnet/runtime: CancellationTokenSource.cs; CancelAfter and the constructor with a timeout set _timer. CancelAfter without an end leaves
/// a timer that is not armed.
/// </remarks>
internal static class TokenSources
{
    private const string Source = "System.Threading.CancellationTokenSource";
    private const int NotCancelled = 0;
    private const int BaseTypes = 4;

    /// <summary>What the timer that is to cancel a source was set to; null where none is armed, and for a source that is cancelled.</summary>
    public static TimeSpan? SetFor(ClrObject source)
        => source.Number("_state") is NotCancelled && PendingTimers.Behind(source) is { IsNull: false } timer ? PendingTimers.Need(timer).SetFor : null;

    /// <summary>The callbacks that are registered with a source, as nodes that the source has in a list; without an end in a damaged heap.</summary>
    public static IEnumerable<ClrObject> CallbacksOf(ClrObject source)
    {
        for (ClrObject node = source.Reference("_registrations").Reference("Callbacks"); !node.IsNull; node = node.Reference("Next"))
        {
            yield return node;
        }
    }

    /// <summary>A source of tokens; libraries that keep theirs derive from it.</summary>
    public static bool Is(ClrType? type) => type.WithBases(BaseTypes).Any(type => type.Name == Source);
}
