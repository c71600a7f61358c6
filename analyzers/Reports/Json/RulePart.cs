namespace HangTriage.Reports.Json;

internal sealed record RulePart(string Rule, string Name, string Outcome, string? Why, IReadOnlyList<GapPart> Gaps);
