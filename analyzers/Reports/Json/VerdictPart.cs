namespace HangTriage.Reports.Json;

internal sealed record VerdictPart : JudgementPart
{
    public string? Rule { get; init; }
}
