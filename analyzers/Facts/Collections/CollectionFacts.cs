namespace HangTriage.Facts;

/// <summary>A hash table that is damaged, or that more than one thread is in.</summary>
public sealed record CollectionFacts
{
    /// <summary>Of the object.</summary>
    public required Address Address { get; init; }

    public required string Type { get; init; }

    /// <summary>How its layout is known: read of the runtime's own types, assumed of others with fields of the same names.</summary>
    public required Trust Trust { get; init; }

    /// <summary>Entries that were ever taken, free ones among them.</summary>
    public required int Entries { get; init; }

    public required int Buckets { get; init; }

    /// <summary>Empty where nothing is wrong.</summary>
    public required IReadOnlyList<CollectionFault> Faults { get; init; }

    /// <summary>The threads that have it on their stack, as far as they were looked at.</summary>
    public required IReadOnlyList<CollectionUse> Uses { get; init; }

    /// <summary>The field that refers to it, as "App.Cache._items"; a gap where none was found, or not looked for.</summary>
    public required Known<string> Holder { get; init; }
}
