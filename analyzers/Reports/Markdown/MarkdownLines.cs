using System.Globalization;

namespace HangTriage.Reports.Markdown;

/// <summary>Writes Markdown blocks. Text goes through <see cref="MarkdownText"/> here, so no caller can forget it.</summary>
internal sealed class MarkdownLines(TextWriter output, int maxItems)
{
    private const int ShortestFence = 3;

    public void Heading(int level, string text) => Block($"{new string('#', level)} {MarkdownText.Escape(text)}");

    public void Paragraph(string text) => Block(MarkdownText.Escape(text));

    /// <summary>A paragraph that begins with a phrase in bold.</summary>
    public void Paragraph(string bold, string text) => Block($"**{MarkdownText.Escape(bold)}**: {MarkdownText.Escape(text)}");

    /// <summary>Two columns without a heading row; rows whose value is null are left out.</summary>
    public void Table(params (string Name, string? Value)[] rows)
    {
        Line("| | |");
        Line("| --- | --- |");
        foreach ((string name, string? value) in rows)
        {
            if (value is not null)
            {
                Line($"| {MarkdownText.Escape(name)} | {MarkdownText.Escape(value)} |");
            }
        }

        Line(string.Empty);
    }

    /// <summary>A table with a heading row.</summary>
    public void Table(IReadOnlyList<string> columns, IReadOnlyList<IReadOnlyList<string>> rows)
    {
        Line($"| {string.Join(" | ", columns.Select(MarkdownText.Escape))} |");
        Line($"|{string.Concat(columns.Select(_ => " --- |"))}");
        foreach (IReadOnlyList<string> row in rows)
        {
            Line($"| {string.Join(" | ", row.Select(MarkdownText.Escape))} |");
        }

        Line(string.Empty);
    }

    public void List<T>(IReadOnlyList<T> items, Func<T, string> text, bool isNumbered = false)
    {
        foreach ((int number, T item) in items.Take(maxItems).Select((item, index) => (index + 1, item)))
        {
            string bullet = isNumbered ? number.ToString(CultureInfo.InvariantCulture) + "." : "-";
            Line($"{bullet} {MarkdownText.Escape(text(item))}");
        }

        Line(string.Empty);
        if (items.Count > maxItems)
        {
            Paragraph(string.Create(CultureInfo.InvariantCulture, $"... and {items.Count - maxItems} more."));
        }
    }

    /// <summary>A code block, fenced by more backticks than stand in it.</summary>
    public void Code(IEnumerable<string> code)
    {
        string[] clean = [.. code.Select(Printable.Line)];
        string fence = new('`', Math.Max(ShortestFence, clean.Select(LongestRun).DefaultIfEmpty().Max() + 1));
        Line(fence + "text");
        foreach (string line in clean)
        {
            Line(line);
        }

        Block(fence);
    }

    private void Block(string text)
    {
        Line(text);
        Line(string.Empty);
    }

    private void Line(string text)
    {
        output.Write(text);
        output.Write('\n');
    }

    private static int LongestRun(string line)
    {
        int longest = 0;
        int run = 0;
        foreach (char letter in line)
        {
            run = letter == '`' ? run + 1 : 0;
            longest = Math.Max(longest, run);
        }

        return longest;
    }
}
