using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// After which time a client breaks off the call that it has made for a thread: it has a source of cancellation tokens for that, which a timer
/// cancels, and has registered what is to be done then (HttpClient.Send).
/// </summary>
internal static class CallLimits
{
    private const int MostObjects = 4_096;

    /// <param name="inCall">What the frames of the client hold.</param>
    /// <returns>The shortest; null where none is seen.</returns>
    public static TimeSpan? Of(IEnumerable<ClrObject> inCall)
        => inCall.Take(MostObjects).Where(found => TokenSources.Is(found.Type) && TokenSources.CallbacksOf(found).Any())
            .Select(TokenSources.SetFor).Min();
}
