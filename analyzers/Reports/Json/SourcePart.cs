namespace HangTriage.Reports.Json;

internal sealed record SourcePart(string File, uint Line);
