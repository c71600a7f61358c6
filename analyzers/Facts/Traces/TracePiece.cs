namespace HangTriage.Facts;

/// <summary>One of the longest times for which a thread was in one state without a break.</summary>
/// <param name="State">What it did.</param>
/// <param name="From">From the window's start.</param>
/// <param name="Length">For how long.</param>
public sealed record TracePiece(TraceThreadState State, TimeSpan From, TimeSpan Length);
