using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>The longest time so far for which a thread was ready and did not run.</summary>
internal sealed record LongReady(long From, long Length, bool IsOpen, int? Priority, int? Rank, Readied? By, TraceRunners? Others);
