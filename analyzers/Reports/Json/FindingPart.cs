namespace HangTriage.Reports.Json;

internal sealed record FindingPart : JudgementPart
{
    public required string Rule { get; init; }

    public required string Name { get; init; }

    public required string Severity { get; init; }
}
