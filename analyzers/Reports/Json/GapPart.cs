namespace HangTriage.Reports.Json;

internal sealed record GapPart(string What, string Why);
