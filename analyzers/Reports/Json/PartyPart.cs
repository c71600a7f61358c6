namespace HangTriage.Reports.Json;

internal sealed record PartyPart(string Kind, string Label, string? Thread, LockPart? Lock, string? Task, string? Role);
