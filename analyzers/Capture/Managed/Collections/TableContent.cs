namespace HangTriage.Capture.Managed.Collections;

/// <summary>A hash table as it was read: links and hash codes, without keys and values.</summary>
/// <param name="encoding">How it writes its links.</param>
/// <param name="buckets">One word a bucket.</param>
/// <param name="hashes">The hash code of each entry that was read.</param>
/// <param name="nexts">The link of each entry that was read.</param>
internal readonly ref struct TableContent(TableEncoding encoding, ReadOnlySpan<int> buckets, ReadOnlySpan<uint> hashes, ReadOnlySpan<int> nexts)
{
    public TableEncoding Encoding { get; } = encoding;

    public ReadOnlySpan<int> Buckets { get; } = buckets;

    public ReadOnlySpan<uint> Hashes { get; } = hashes;

    public ReadOnlySpan<int> Nexts { get; } = nexts;

    /// <summary>Entries that were ever taken: the first so many of the array.</summary>
    public required int Count { get; init; }

    /// <summary>Entries that the array has room for.</summary>
    public required int Capacity { get; init; }

    /// <summary>The first free entry; -1 where there is none.</summary>
    public required int FreeList { get; init; }

    public required int FreeCount { get; init; }
}
