using System.Text.Json.Serialization;

namespace HangTriage.Reports.Json;

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    GenerationMode = JsonSourceGenerationMode.Serialization,
    WriteIndented = true)]
[JsonSerializable(typeof(ReportPart))]
[JsonSerializable(typeof(TraceReportPart))]
internal sealed partial class ReportJsonContext : JsonSerializerContext;
