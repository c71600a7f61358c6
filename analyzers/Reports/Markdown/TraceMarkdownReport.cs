using HangTriage.Facts;
using HangTriage.Reports.Traces;
using HangTriage.Rules.Claims;

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
        MarkdownPage page = new(output, int.MaxValue);
        TraceView view = new(trace, file, pid);
        page.Title(view.Headline);
        page.Box([.. view.Facts().Select(fact => (fact.Name, (Claim)fact.Value))]);
        if (MermaidGantt.Of(Timelines.Of(trace, pid), trace.Length) is { } chart)
        {
            page.Heading("Timeline");
            page.Gantt(chart);
            page.Paragraph("Seconds from the begin of the trace. Each thread has its longest times; red is ready without running.");
        }

        foreach (TraceTable table in view.Tables())
        {
            page.Heading(table.Title);
            if (table.Rows.Count > 0)
            {
                page.Table(table.Columns, [.. table.Rows.Select(row => row.Select(cell => (Claim)cell).ToArray())]);
            }

            if (table.Note is { Length: > 0 } note)
            {
                page.Paragraph(note);
            }
        }
    }
}
