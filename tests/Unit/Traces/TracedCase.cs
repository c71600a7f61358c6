using HangTriage.Facts;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>A capture within the window of a trace.</summary>
internal static class TracedCase
{
    /// <param name="snapshot">The capture, with the process's id.</param>
    /// <param name="name">What the trace calls the process.</param>
    /// <param name="facts">The trace.</param>
    /// <param name="moment">When the capture was taken, from the window's start.</param>
    public static Case Of(ProcessSnapshot snapshot, string name, TraceFacts facts, TimeSpan moment)
        => Case.Of(snapshot with
        {
            Target = snapshot.Target with
            {
                ProcessName = Known.Read(name),
                CapturedAt = Known.Read(facts.Start.Value + moment),
                StartedAt = Known.Unknown<DateTimeOffset>("start", "not made"),
            },
        }).With("slow.etl", facts);
}
