namespace HangTriage.Capture.Managed.Collections;

/// <summary>How a hash table writes its links. Layout source: the sources of Dictionary and HashSet of each runtime.</summary>
/// <param name="IsZeroBased">
/// A bucket holds the index of its first entry, -1 where it is empty (Dictionary of .NET Framework); otherwise the index plus
/// one, 0 where it is empty.
/// </param>
/// <param name="IsFreeByHash">
/// A free entry has the hash code -1 and a plain link to the next free one (.NET Framework, .NET Core 2 and the HashSet of 3);
/// otherwise its link is -3 less the next free one, so that it is -2 or below.
/// </param>
internal readonly record struct TableEncoding(bool IsZeroBased, bool IsFreeByHash)
{
    private const int StartOfFreeList = -3;

    public int FirstEntry(int bucket) => IsZeroBased ? bucket : bucket - 1;

    public bool IsFree(uint hash, int next) => IsFreeByHash ? hash == uint.MaxValue : next < -1;

    public int NextFree(int next) => IsFreeByHash ? next : StartOfFreeList - next;
}
