namespace HangTriage.Capture.Windows.Locks;

/// <summary>A word that a waiting thread left behind, which may lead to what it waits for.</summary>
/// <param name="Value">The word.</param>
/// <param name="Where">Where it was found, for people: "register rbx of RtlEnterCriticalSection".</param>
/// <param name="IsUnwound">It is in a register that a callee preserves, found by unwinding and not by guessing.</param>
/// <param name="IsWaitBlock">The thread's own id follows it in memory, as in the wait blocks of Windows and Wine.</param>
internal readonly record struct Clue(ulong Value, string Where, bool IsUnwound, bool IsWaitBlock);
