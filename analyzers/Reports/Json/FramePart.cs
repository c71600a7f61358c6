namespace HangTriage.Reports.Json;

internal sealed record FramePart(
    string Ip, string? Module, string? ModuleOffset, string? Method, string? Offset, string Kind, string Trust,
    SourcePart? Source);
