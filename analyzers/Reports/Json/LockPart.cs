namespace HangTriage.Reports.Json;

internal sealed record LockPart(string Kind, string Address);
