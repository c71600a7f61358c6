namespace HangTriage.Reports.Json;

internal sealed record VerdictPart : JudgementPart
{
    public string? Rule { get; init; }

    /// <summary>Which requests of clients wait in it; absent where none is known to.</summary>
    public ImpactPart? Impact { get; init; }
}
