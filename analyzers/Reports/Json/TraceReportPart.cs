using System.Text.Json.Serialization;

namespace HangTriage.Reports.Json;

/// <summary>What 'triage trace --format json' writes: a trace alone, without a verdict.</summary>
internal sealed record TraceReportPart(ToolPart Tool, TracePart Trace)
{
    [JsonPropertyOrder(-1)]
    public int Schema { get; init; } = ReportPart.CurrentSchema;
}
