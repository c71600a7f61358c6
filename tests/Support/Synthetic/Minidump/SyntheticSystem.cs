namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The machine and the Windows version of the target.</summary>
public sealed record SyntheticSystem
{
    public SyntheticArchitecture Architecture { get; init; } = SyntheticArchitecture.X64;

    public uint Major { get; init; } = 10;

    public uint Minor { get; init; }

    public uint Build { get; init; } = 14393;

    public byte Processors { get; init; } = 8;

    /// <summary>The service pack's text, mostly empty.</summary>
    public string ServicePack { get; init; } = "";
}
