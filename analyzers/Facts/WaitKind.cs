namespace HangTriage.Facts;

/// <summary>What a thread that waits on a lock's object waits for.</summary>
public enum WaitKind
{
    /// <summary>To become the lock's owner.</summary>
    Acquire,

    /// <summary>For a pulse of its condition (Monitor.Wait): whoever pulses, not the owner, ends the wait.</summary>
    Pulse,
}
