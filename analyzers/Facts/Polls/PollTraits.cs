namespace HangTriage.Facts;

/// <summary>What the instructions of a loop that waits say of it.</summary>
[Flags]
public enum PollTraits
{
    None = 0,

    /// <summary>Something that it looks at lets it end. A loop without is meant to go on.</summary>
    HasExit = 1 << 0,

    /// <summary>It looks at a clock or counts its rounds.</summary>
    HasLimit = 1 << 1,

    /// <summary>It looks at a cancellation token.</summary>
    HasToken = 1 << 2,

    /// <summary>It tries to take a lock, or exchanges a value as locks that spin do.</summary>
    TakesLock = 1 << 3,

    /// <summary>It gives a lock back within the loop.</summary>
    GivesBack = 1 << 4,

    /// <summary>It waits where it has caught an exception: what it tried has failed, and is tried again.</summary>
    AfterFailure = 1 << 5,

    /// <summary>For a thread: beyond this loop it goes round none but such as end with a count or a collection, up to where it started.</summary>
    IsOnWayToEnd = 1 << 6,
}
