namespace HangTriage.Reports.Json;

internal sealed record ToolPart(string Version);
