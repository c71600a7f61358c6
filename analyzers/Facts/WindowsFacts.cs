namespace HangTriage.Facts;

/// <summary>What only a Windows process has.</summary>
public sealed record WindowsFacts
{
    public required Known<Address> Peb { get; init; }

    /// <summary>The loader lock and its state; the PEB leads to it.</summary>
    public required Known<LockFacts> LoaderLock { get; init; }
}
