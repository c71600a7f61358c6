namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One entry of the ModuleList stream.</summary>
public sealed record SyntheticModule
{
    public required ulong Base { get; init; }

    public required uint Size { get; init; }

    /// <summary>The full path, as Windows writes it.</summary>
    public required string Path { get; init; }

    public uint TimeDateStamp { get; init; }

    public uint CheckSum { get; init; }

    /// <summary>Null writes an empty VS_FIXEDFILEINFO.</summary>
    public Version? FileVersion { get; init; }

    /// <summary>The CodeView record that names the PDB; empty for none.</summary>
    public byte[] CodeView { get; init; } = [];
}
