using HangTriage.Reports.Text;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Dml;

/// <summary>
/// Makes the text report a page of the Windows debuggers' markup (DML): the same text, in which threads, locks, objects
/// and frames are links that show them. Commands are made of numbers alone; nothing that the target says gets into one.
/// </summary>
public sealed class DmlLinks : ITextMarkup
{
    /// <summary>The layout with links in it, and the headline in bold.</summary>
    public static TextReportOptions In(TextReportOptions layout)
    {
        ArgumentNullException.ThrowIfNull(layout);
        return layout with { Markup = new DmlLinks(), Emphasize = headline => $"<b>{headline}</b>" };
    }

    public string Escape(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal);
    }

    public string Link(string text, ClaimPart named)
    {
        ArgumentNullException.ThrowIfNull(named);
        string? command = named switch
        {
            { Thread: { } thread } => DmlCommands.Show(thread),
            { Lock: { } id } => DmlCommands.Show(id),
            { Frame: { } frame } => DmlCommands.Show(frame),
            { Task: { } task } => DmlCommands.ShowObject(task),
            _ => null,
        };
        return command is null ? Escape(text) : $"<link cmd=\"{command}\">{Escape(text)}</link>";
    }
}
