namespace HangTriage.Tests.Support.Synthetic;

/// <summary>A thread as the dump's streams describe it; <see cref="SyntheticThread"/> makes one from its frames.</summary>
public sealed record SyntheticThreadRecord
{
    public required uint Id { get; init; }

    public uint SuspendCount { get; init; }

    public uint PriorityClass { get; init; } = 0x20;

    public uint Priority { get; init; }

    public ulong Teb { get; init; }

    /// <summary>The stack's bytes, which must be in the dump's memory too; null leaves the descriptor empty.</summary>
    public SyntheticMemory? Stack { get; init; }

    /// <summary>A CONTEXT record of the target's architecture; null leaves the descriptor empty.</summary>
    public byte[]? Context { get; init; }

    public string? Name { get; init; }

    /// <summary>Null leaves the thread out of the ThreadInfoList stream.</summary>
    public SyntheticThreadTimes? Times { get; init; }
}
