namespace HangTriage.Facts;

/// <summary>Waits of a thread for one reason.</summary>
/// <param name="Name">KWAIT_REASON ("WrYieldExecution"); on Linux the task's state.</param>
/// <param name="Count">Switch-outs for it.</param>
/// <param name="Time">How long the thread did not run after them.</param>
/// <param name="IsReady">The thread could have run at once: it was preempted or yielded.</param>
public sealed record TraceWaitReason(string Name, long Count, TimeSpan Time, bool IsReady);
