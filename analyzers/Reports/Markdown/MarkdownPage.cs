using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports.Graph;
using HangTriage.Reports.Html;
using HangTriage.Reports.Incident;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Markdown;

/// <summary>Writes Markdown blocks. Text goes through <see cref="MarkdownText"/> here, so no caller can forget it.</summary>
internal sealed class MarkdownPage(TextWriter output, int maxCharacters) : IPage
{
    private const int ShortestFence = 3;

    private readonly PageBudget _budget = new(maxCharacters);
    private string _part = string.Empty;

    public void Title(string text) => Block($"# {MarkdownText.Escape(text)}");

    public void Heading(string text)
    {
        _part = text;
        Block($"## {MarkdownText.Escape(text)}");
    }

    public void Paragraph(Claim text) => Block(MarkdownText.Escape(text.Text));

    public void Paragraph(string bold, Claim text)
        => Block($"**{MarkdownText.Escape(bold)}**: {MarkdownText.Escape(text.Text)}".TrimEnd());

    public void Box(IReadOnlyList<(string Name, Claim Value)> rows)
        => Rows("| | |\n| --- | --- |\n", rows.Select(row => $"| {MarkdownText.Escape(row.Name)} | {MarkdownText.Escape(row.Value.Text)} |"));

    public void Table(IReadOnlyList<string> heads, IReadOnlyList<IReadOnlyList<Claim>> rows)
        => Rows(
            $"| {string.Join(" | ", heads.Select(MarkdownText.Escape))} |\n|{string.Concat(heads.Select(_ => " --- |"))}\n",
            rows.Select(row => $"| {string.Join(" | ", row.Select(cell => MarkdownText.Escape(cell.Text)))} |"));

    public void List(IReadOnlyList<Claim> items, bool isNumbered)
    {
        int number = 0;
        Rows(string.Empty, items.Select(item => $"{(isNumbered ? (++number).ToString(CultureInfo.InvariantCulture) + "." : "-")} {MarkdownText.Escape(item.Text)}"));
    }

    public void Graph(WaitPicture picture) => Block($"```mermaid\n{Mermaid.Of(picture)}```");

    public void Gantt(string chart) => Block($"```mermaid\n{chart}```");

    /// <summary>A code block, fenced by more backticks than stand in it.</summary>
    public void Code(IReadOnlyList<Claim> lines)
    {
        string[] clean = [.. lines.Select(line => Printable.Line(line.Text))];
        string fence = new('`', Math.Max(ShortestFence, clean.Select(LongestRun).DefaultIfEmpty().Max() + 1));
        Block($"{fence}text\n{string.Concat(clean.Select(line => line + "\n"))}{fence}");
    }

    // An HTML block: it ends at the first empty line, and Markdown is read again behind it.
    public void Details(string title, IReadOnlyList<ThreadId> about, Action content)
    {
        string before = _part;
        _part = title;
        if (Block($"<details>\n<summary>{HtmlText.Escape(title)}</summary>"))
        {
            content();
            Line("</details>");
            Line(string.Empty);
        }

        _part = before;
    }

    public void End()
    {
        if (_budget.Omitted() is { } omitted)
        {
            Line(MarkdownText.Escape(omitted));
        }
    }

    private bool Block(string text)
    {
        if (!_budget.Take(text.Length + 2, _part))
        {
            return false;
        }

        Line(text);
        Line(string.Empty);
        return true;
    }

    // Rows that do not fit are left out one by one; without its head a table is none.
    private void Rows(string head, IEnumerable<string> rows)
    {
        if (!_budget.Take(head.Length + 1, _part))
        {
            return;
        }

        output.Write(head);
        foreach (string row in rows)
        {
            if (_budget.Take(row.Length + 1, _part))
            {
                Line(row);
            }
        }

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
