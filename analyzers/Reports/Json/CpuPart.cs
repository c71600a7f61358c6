namespace HangTriage.Reports.Json;

/// <summary>Milliseconds.</summary>
internal sealed record CpuPart(double User, double Kernel);
