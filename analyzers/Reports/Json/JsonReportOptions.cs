namespace HangTriage.Reports.Json;

/// <summary>What only the host knows.</summary>
/// <param name="ToolVersion">The version of the tool that writes the report.</param>
/// <param name="Timings">How long each step took: "capture", "judge".</param>
public sealed record JsonReportOptions(string ToolVersion, IReadOnlyDictionary<string, TimeSpan> Timings);
