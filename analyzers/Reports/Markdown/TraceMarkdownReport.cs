using HangTriage.Facts;
using HangTriage.Reports.Traces;

namespace HangTriage.Reports.Markdown;

/// <summary>What a trace says, for a ticket. Lines end in LF.</summary>
public static class TraceMarkdownReport
{
    /// <param name="trace">The trace.</param>
    /// <param name="file">Its file's name.</param>
    /// <param name="pid">The process to tell of; null for all.</param>
    /// <param name="output">Where to.</param>
    public static void Write(TraceFacts trace, string file, uint? pid, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(output);
        MarkdownLines lines = new(output, int.MaxValue);
        TraceView view = new(trace, file, pid);
        lines.Heading(1, view.Headline);
        lines.Table([.. view.Facts().Select(fact => (fact.Name, (string?)fact.Value))]);
        foreach (TraceTable table in view.Tables())
        {
            lines.Heading(2, table.Title);
            if (table.Rows.Count > 0)
            {
                lines.Table(table.Columns, table.Rows);
            }

            if (table.Note is { Length: > 0 } note)
            {
                lines.Paragraph(note);
            }
        }
    }
}
