using HangTriage.Facts;
using HangTriage.Reports.Graph;
using HangTriage.Reports.Incident;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Html;

/// <summary>
/// Writes one page that stands alone: no script, no other file, no network. Text goes through <see cref="HtmlText"/> here, so no
/// caller can forget it. A thread's name links to its stack, which opens.
/// </summary>
internal sealed class HtmlPage(TextWriter output, int maxCharacters, bool isCalm) : IPage
{
    private readonly PageBudget _budget = new(maxCharacters);
    private readonly SortedSet<ThreadId> _linked = [];
    private readonly HashSet<ThreadId> _anchored = [];
    private string _part = string.Empty;
    private bool _hasLead;

    public void Title(string text)
    {
        string title = HtmlText.Escape(text);
        output.Write($"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>{title}</title>
            <style>
            {HtmlStyle.Css}
            </style>
            </head>
            <body>
            <main>
            <h1{(isCalm ? " class=\"calm\"" : string.Empty)}>{title}</h1>

            """.ReplaceLineEndings("\n"));
    }

    public void Heading(string text)
    {
        _part = text;
        Write($"<h2>{HtmlText.Escape(text)}</h2>");
    }

    public void Paragraph(Claim text)
    {
        Write($"<p{(_hasLead ? string.Empty : " class=\"lead\"")}>{Linked(text)}</p>");
        _hasLead = true;
    }

    public void Paragraph(string bold, Claim text) => Write($"<p><b>{HtmlText.Escape(bold)}</b>: {Linked(text)}</p>");

    public void Box(IReadOnlyList<(string Name, Claim Value)> rows)
        => Rows("<div class=\"scroll\"><table class=\"box\">", rows.Select(row => $"<tr><td>{HtmlText.Escape(row.Name)}</td><td>{Linked(row.Value)}</td></tr>"), "</table></div>");

    public void Table(IReadOnlyList<string> heads, IReadOnlyList<IReadOnlyList<Claim>> rows)
        => Rows(
            $"<div class=\"scroll\"><table><tr>{string.Concat(heads.Select(head => $"<th>{HtmlText.Escape(head)}</th>"))}</tr>",
            rows.Select(row => $"<tr>{string.Concat(row.Select(cell => $"<td>{Linked(cell)}</td>"))}</tr>"),
            "</table></div>");

    public void List(IReadOnlyList<Claim> items, bool isNumbered)
        => Rows(isNumbered ? "<ol>" : "<ul>", items.Select(item => $"<li>{Linked(item)}</li>"), isNumbered ? "</ol>" : "</ul>");

    public void Graph(WaitPicture picture)
    {
        _linked.UnionWith(picture.Nodes.Select(node => node.Thread).OfType<ThreadId>());
        Write($"<div class=\"scroll\">{SvgGraph.Of(picture)}</div>");
    }

    public void Code(IReadOnlyList<Claim> lines) => Write($"<pre>{string.Join('\n', lines.Select(line => HtmlText.Escape(line.Text)))}</pre>");

    public void Details(string title, IReadOnlyList<ThreadId> about, Action content)
    {
        string before = _part;
        _part = title;
        ThreadId[] anchors = [.. about.Where(_anchored.Add)];
        if (Write($"<details>\n<summary>{HtmlText.Escape(title)}</summary>\n{Anchors(anchors)}"))
        {
            content();
            Line("</details>");
        }
        else
        {
            _anchored.ExceptWith(anchors);
        }

        _part = before;
    }

    public void End()
    {
        if (_budget.Omitted() is { } omitted)
        {
            Line($"<p>{HtmlText.Escape(omitted)}</p>");
        }

        _linked.ExceptWith(_anchored);
        if (_linked.Count > 0)
        {
            Line($"<p>{string.Concat(_linked.Select(thread => $"<span id=\"{Anchor(thread)}\"></span>"))}Stacks that no part above shows are not in the input, or were left out.</p>");
        }

        Line("</main>\n</body>\n</html>");
    }

    /// <summary>What links to a thread lead to. It is made of a number alone.</summary>
    public static string Anchor(ThreadId thread) => $"thread-{thread}";

    private static string Anchors(ThreadId[] threads)
        => threads.Length == 0 ? string.Empty : $"<div>{string.Concat(threads.Select(thread => $"<span id=\"{Anchor(thread)}\"></span>"))}</div>";

    private string Linked(Claim text) => string.Concat(text.Parts.Select(Linked));

    private string Linked(ClaimPart part)
    {
        string escaped = HtmlText.Escape(part.Text);
        if (part.Thread is not { } thread)
        {
            return escaped;
        }

        _linked.Add(thread);
        return $"<a href=\"#{Anchor(thread)}\">{escaped}</a>";
    }

    private bool Write(string text)
    {
        if (!_budget.Take(text.Length + 1, _part))
        {
            return false;
        }

        Line(text);
        return true;
    }

    private void Rows(string open, IEnumerable<string> rows, string close)
    {
        if (!_budget.Take(open.Length + close.Length + 2, _part))
        {
            return;
        }

        Line(open);
        foreach (string row in rows)
        {
            if (_budget.Take(row.Length + 1, _part))
            {
                Line(row);
            }
        }

        Line(close);
    }

    private void Line(string text)
    {
        output.Write(text);
        output.Write('\n');
    }
}
