namespace HangTriage.Facts;

/// <summary>One time for which a thread was ready and did not run.</summary>
/// <param name="From">When it was readied, from the window's start.</param>
/// <param name="Length">Until it was switched in, or the window's end.</param>
/// <param name="IsOpen">It was not switched in before the window's end.</param>
/// <param name="Priority">Its own.</param>
/// <param name="Rank">Its own.</param>
/// <param name="By">Who readied it; a gap where it was preempted.</param>
/// <param name="Others">Who ran in that time; a gap where that was not looked at, because the time was short.</param>
/// <param name="IsStackPagedOut">The kernel's stack of the thread, or its process, was paged out when it was readied.</param>
public sealed record TraceReady(
    TimeSpan From, TimeSpan Length, bool IsOpen, Known<int> Priority, Known<int> Rank, Known<TraceReadiedBy> By, Known<TraceRunners> Others, Known<bool> IsStackPagedOut);
