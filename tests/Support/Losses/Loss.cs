namespace HangTriage.Tests.Support.Losses;

/// <summary>One way to lose one part of a dump: some bytes of the file are written over.</summary>
/// <param name="Name">"missing": the file does not say that it has the part. "zeroed": it says so, and the part is all zero.</param>
/// <param name="At">The first byte that is written over.</param>
/// <param name="Size">How many are.</param>
public sealed record Loss(string Name, long At, long Size)
{
    /// <summary>What is written; empty for zeros.</summary>
    public ReadOnlyMemory<byte> Bytes { get; init; }
}
