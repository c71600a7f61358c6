namespace HangTriage.Reports.Json;

internal sealed record RuntimePart(string Flavor, string? Version);
