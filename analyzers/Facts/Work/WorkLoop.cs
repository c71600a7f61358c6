namespace HangTriage.Facts;

/// <summary>A loop of a method, by its IL.</summary>
/// <param name="Start">The offset of its first instruction.</param>
/// <param name="End">Behind its last.</param>
/// <param name="EndsBy">The fields that decide whether it ends, and the methods whose answers do, as far as its instructions tell.</param>
public sealed record WorkLoop(int Start, int End, IReadOnlyList<string> EndsBy)
{
    /// <summary>It ends with a count, or with the last item of a collection.</summary>
    public bool IsBounded { get; init; }

    /// <summary>An exception that is thrown at the place in it is caught in a loop of the method, which then continues.</summary>
    public bool Catches { get; init; }

    /// <summary>It makes objects.</summary>
    public bool Allocates { get; init; }

    /// <summary>The line of source that it begins at; null where that is not known.</summary>
    public SourceLine? Source { get; init; }
}
