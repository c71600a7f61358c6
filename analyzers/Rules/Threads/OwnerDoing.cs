namespace HangTriage.Rules.Threads;

/// <summary>What the thread at the end of a wait chain does with its time.</summary>
internal enum OwnerDoing
{
    /// <summary>Nothing tells, or it was caught running and has used too little CPU to say more.</summary>
    Unknown,

    /// <summary>It loops, waiting without blocking.</summary>
    Spins,

    /// <summary>It burns CPU in work of its own.</summary>
    Computes,

    /// <summary>It is blocked: for a lock, an object, input, a message, time.</summary>
    Waits,
}
