namespace HangTriage.Facts;

/// <summary>A thread's state at one moment.</summary>
/// <param name="State">What it did.</param>
/// <param name="For">For how long already.</param>
/// <param name="Reason">Why it last stopped running; a gap where it runs, or where that is not in the trace.</param>
public sealed record TraceMoment(TraceThreadState State, TimeSpan For, Known<string> Reason);
