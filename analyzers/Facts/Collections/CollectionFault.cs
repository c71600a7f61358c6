namespace HangTriage.Facts;

/// <summary>One kind of damage of a hash table, with the first place that shows it.</summary>
public sealed record CollectionFault
{
    public required CollectionFaultKind Kind { get; init; }

    /// <summary>How many places show it.</summary>
    public required int Places { get; init; }

    /// <summary>The bucket whose chain it is; null where no chain is concerned.</summary>
    public int? Bucket { get; init; }

    /// <summary>The entry; null where none is concerned, as with a bucket that is itself wrong.</summary>
    public int? Entry { get; init; }

    /// <summary>Where its link leads to, as an index of entries; null where none is concerned.</summary>
    public int? Next { get; init; }
}
