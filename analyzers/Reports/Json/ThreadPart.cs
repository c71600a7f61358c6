namespace HangTriage.Reports.Json;

internal sealed record ThreadPart
{
    public required string OsId { get; init; }

    public int? Index { get; init; }

    public int? ManagedId { get; init; }

    public string? Name { get; init; }

    public CpuPart? Cpu { get; init; }

    public DateTimeOffset? StartedAt { get; init; }

    /// <summary>What the kernel of Linux says of it; null where the target is no live process.</summary>
    public KernelPart? Kernel { get; init; }

    public required string State { get; init; }

    public required string StateTrust { get; init; }

    public WaitPart? WaitsFor { get; init; }

    public LoopPart? Loop { get; init; }

    public required IReadOnlyList<FramePart> Frames { get; init; }

    public required IReadOnlyList<GapPart> Gaps { get; init; }
}

/// <summary>As /proc has it.</summary>
internal sealed record KernelPart(string State, long? Switches, string? WaitChannel);

/// <summary>Milliseconds.</summary>
internal sealed record CpuPart(double User, double Kernel);

internal sealed record LoopPart(string Start, string End, int Instructions, bool Pauses, int Frame, string Trust);

internal sealed record FramePart(
    string Ip, string? Module, string? ModuleOffset, string? Method, string? Offset, string Kind, string Trust,
    SourcePart? Source);

internal sealed record SourcePart(string File, uint Line);
