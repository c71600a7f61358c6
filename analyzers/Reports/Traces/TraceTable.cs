namespace HangTriage.Reports.Traces;

/// <summary>A heading, a table below it and what to say where it is empty or cut.</summary>
internal sealed record TraceTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows, string? Note = null);
