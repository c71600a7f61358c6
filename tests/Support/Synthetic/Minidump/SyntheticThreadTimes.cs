namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One entry of the ThreadInfoList stream. Its times are in units of 100 ns.</summary>
public sealed record SyntheticThreadTimes
{
    /// <summary>MINIDUMP_THREAD_INFO_*: 4 for a thread that has exited, 8 where the rest of the entry is not valid.</summary>
    public uint DumpFlags { get; init; }

    public uint DumpError { get; init; }

    /// <summary>STILL_ACTIVE by default.</summary>
    public uint ExitStatus { get; init; } = 0x103;

    public DateTime CreatedAt { get; init; }

    public DateTime? ExitedAt { get; init; }

    public TimeSpan Kernel { get; init; }

    public TimeSpan User { get; init; }

    public ulong StartAddress { get; init; }

    public ulong Affinity { get; init; } = 0xFF;
}
