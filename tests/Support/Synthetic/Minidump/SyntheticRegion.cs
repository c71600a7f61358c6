namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One entry of the MemoryInfoList stream: what VirtualQuery says of a region.</summary>
public sealed record SyntheticRegion(ulong Address, ulong Size)
{
    public ulong? AllocationBase { get; init; }

    /// <summary>PAGE_READWRITE by default.</summary>
    public uint Protect { get; init; } = 0x04;

    /// <summary>MEM_COMMIT by default.</summary>
    public uint State { get; init; } = 0x1000;

    /// <summary>MEM_PRIVATE by default; MEM_MAPPED is 0x40000, MEM_IMAGE 0x1000000.</summary>
    public uint Type { get; init; } = 0x20000;
}
