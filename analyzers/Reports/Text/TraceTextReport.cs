using HangTriage.Facts;
using HangTriage.Reports.Traces;

namespace HangTriage.Reports.Text;

/// <summary>What a trace says, for a terminal: printable ASCII only, lines end in LF.</summary>
public static class TraceTextReport
{
    private const int LongestCell = 62;
    private const int Between = 2;

    /// <param name="trace">The trace.</param>
    /// <param name="file">Its file's name.</param>
    /// <param name="pid">The process to tell of; null for all.</param>
    /// <param name="output">Where to.</param>
    /// <param name="width">Columns to wrap sentences at; tables may be wider.</param>
    public static void Write(TraceFacts trace, string file, uint? pid, TextWriter output, int width)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(output);
        TextLines lines = new(output, width);
        TraceView view = new(trace, file, pid);
        lines.Line(view.Headline);
        foreach ((string name, string value) in view.Facts())
        {
            lines.Wrapped($"  {name,-10} ", value);
        }

        Timeline(trace, pid, lines);
        foreach (TraceTable table in view.Tables())
        {
            lines.Blank();
            lines.Line(table.Title);
            Rows(table, lines);
            if (table.Note is { Length: > 0 } note)
            {
                lines.Wrapped("  ", note);
            }
        }
    }

    private static void Timeline(TraceFacts trace, uint? pid, TextLines lines)
    {
        IReadOnlyList<ThreadBar> bars = Timelines.Of(trace, pid);
        if (bars.Count > 0)
        {
            lines.Blank();
            lines.Line("Timeline");
            Rows(new TraceTable("Timeline", ["thread", "# runs, ! is ready, . waits"], [.. bars.Select(bar => (string[])[bar.Name, Timelines.Draw(bar.Thread, trace.Length)])]), lines);
        }
    }

    private static void Rows(TraceTable table, TextLines lines)
    {
        if (table.Rows.Count == 0)
        {
            return;
        }

        string[][] cells = [[.. table.Columns], .. table.Rows.Select(row => row.Select(Cell).ToArray())];
        int[] widths = [.. table.Columns.Select((_, column) => cells.Max(row => row[column].Length))];
        foreach (string[] row in cells)
        {
            lines.Line(("  " + string.Concat(row.Select((cell, column) => cell.PadRight(widths[column] + Between)))).TrimEnd());
        }
    }

    /// <summary>The end of a long name says more than its beginning.</summary>
    private static string Cell(string text)
    {
        string clean = Printable.Ascii(text);
        return clean.Length <= LongestCell ? clean : "..." + clean[^(LongestCell - 3)..];
    }
}
