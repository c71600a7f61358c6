namespace HangTriage.Facts;

/// <summary>What a thread that waits on a lock's object waits for.</summary>
public enum WaitKind
{
    /// <summary>To become the lock's owner.</summary>
    Acquire,

    /// <summary>For a pulse of its condition (Monitor.Wait): whoever pulses, not the owner, ends the wait.</summary>
    Pulse,

    /// <summary>For a signal that any thread can give: an event, a semaphore, a timer, a changed value. Nobody owns it.</summary>
    Signal,

    /// <summary>For an answer through a port or a file: of another process, or of a device.</summary>
    Reply,

    /// <summary>For the end of a thread or process.</summary>
    Exit,
}
