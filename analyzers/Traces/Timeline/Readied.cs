namespace HangTriage.Traces.Timeline;

/// <summary>What made a thread ready.</summary>
/// <param name="At">In steps of 100 ns from the window's start.</param>
/// <param name="By">The thread on the processor; null where it is unknown or idle.</param>
/// <param name="IsDeferred">A deferred call of the kernel did it: not the thread, but what interrupted it.</param>
/// <param name="IsPagedOut">The thread's kernel stack or its process was paged out; null where that is not recorded.</param>
/// <param name="Stack">Gets the stack of who did it; null where nobody wants it.</param>
internal readonly record struct Readied(long At, ThreadLine? By, bool IsDeferred, bool? IsPagedOut, KeptStack? Stack);
