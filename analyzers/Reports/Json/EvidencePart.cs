namespace HangTriage.Reports.Json;

internal sealed record EvidencePart(string Claim, string Source, string Trust, string? Thread, string? Frame, string? Address);
