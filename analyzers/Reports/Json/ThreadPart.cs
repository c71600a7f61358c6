namespace HangTriage.Reports.Json;

internal sealed record ThreadPart
{
    public required string OsId { get; init; }

    public required int Index { get; init; }

    public int? ManagedId { get; init; }

    public string? Name { get; init; }

    public CpuPart? Cpu { get; init; }

    public DateTimeOffset? StartedAt { get; init; }

    public required string State { get; init; }

    public required string StateTrust { get; init; }

    public string? WaitsFor { get; init; }

    public LoopPart? Loop { get; init; }

    public required IReadOnlyList<FramePart> Frames { get; init; }

    public required IReadOnlyList<GapPart> Gaps { get; init; }
}
