namespace HangTriage.Reports.Json;

internal sealed record LoopPart(string Start, string End, int Instructions, bool Pauses, int Frame, string Trust);
