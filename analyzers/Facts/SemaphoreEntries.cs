namespace HangTriage.Facts;

/// <summary>How many more can enter a semaphore.</summary>
/// <param name="Left">Entries that are free.</param>
/// <param name="Most">The most that there can be; <see cref="int.MaxValue"/> where the program set no bound.</param>
public sealed record SemaphoreEntries(uint Left, uint Most)
{
    /// <summary>The program said how many there are at most, as one does for a semaphore that guards something.</summary>
    public bool IsBounded() => Most != int.MaxValue;
}
