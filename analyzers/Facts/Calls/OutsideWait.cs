namespace HangTriage.Facts.Calls;

/// <summary>What it means that a thread stays in a call that leaves the process.</summary>
public enum OutsideWait
{
    /// <summary>It is how such a thread idles: it accepts connections, reads the console, waits for a child.</summary>
    Idle,

    /// <summary>It takes what comes next: the answer to a request, or the next message of a connection that can be silent for long.</summary>
    Data,

    /// <summary>The other side owes something: an answer, a connection, room for what is sent.</summary>
    Answer,

    /// <summary>It ends in a moment, and many programs are in it at any moment.</summary>
    Moment,
}
