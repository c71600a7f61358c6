namespace HangTriage.Facts;

/// <summary>How two samples are known to be of one process.</summary>
public enum JoinedBy
{
    /// <summary>They have one process id and one start time.</summary>
    StartTime,

    /// <summary>They have one process id, one random seed of the kernel and the same load addresses (Linux).</summary>
    RandomSeed,

    /// <summary>They have one process id, nothing that both record contradicts, and the user says so.</summary>
    UsersWord,
}
