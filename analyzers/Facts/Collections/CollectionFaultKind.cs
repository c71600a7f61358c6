namespace HangTriage.Facts;

/// <summary>What can be wrong with a hash table.</summary>
public enum CollectionFaultKind
{
    /// <summary>The links of a bucket come back to an entry that they have been at: whoever follows them never ends.</summary>
    ChainCycle,

    /// <summary>A bucket or a link names an entry that does not exist or is free.</summary>
    LinkOutOfRange,

    /// <summary>An entry is found in a bucket that its hash code does not belong to.</summary>
    WrongBucket,

    /// <summary>An entry is in use and no bucket leads to it: it was added and cannot be found.</summary>
    UnreachableEntry,

    /// <summary>The list of free entries comes back to one that it has been at.</summary>
    FreeListCycle,

    /// <summary>The list of free entries names an entry that does not exist or is in use.</summary>
    FreeListOutOfRange,

    /// <summary>The list of free entries has another length than the table states.</summary>
    FreeListLength,

    /// <summary>The table's counts contradict each other or the size of its arrays.</summary>
    CountsDisagree,
}
