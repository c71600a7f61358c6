namespace HangTriage.Facts;

/// <summary>The part of a facts file that says how to read the rest.</summary>
internal sealed record FactsHeader
{
    public int? Schema { get; init; }
}
