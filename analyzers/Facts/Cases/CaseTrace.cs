namespace HangTriage.Facts;

/// <summary>A trace of the time of a capture, joined to it or refused.</summary>
/// <param name="File">The trace's file name.</param>
/// <param name="Facts">What the trace says, of every process.</param>
/// <param name="Join">What joins the two.</param>
public sealed record CaseTrace(string File, TraceFacts Facts, TraceJoin Join)
{
    /// <summary>The line that tells the user that it is left out, and why; null where it is joined.</summary>
    public string? Refusal => Join.WhyNot is { } why ? $"{File}: {why}; the trace is left out" : null;
}
