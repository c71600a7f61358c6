using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Reports.Dml;

/// <summary>
/// Makes the text report a page of the Windows debuggers' markup (DML): the same text, in which threads, locks, objects
/// and frames are links that show them. Commands are made of numbers alone; nothing that the target says gets into one.
/// </summary>
public sealed partial class DmlLinks
{
    private const string Guessed = "  (guessed)";

    private readonly Dictionary<uint, string> _threads = [];
    private readonly Dictionary<ulong, string> _locks = [];
    private readonly Dictionary<string, string> _frames = new(StringComparer.Ordinal);

    private DmlLinks()
    {
    }

    public static DmlLinks Of(TriageResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        DmlLinks links = new();
        foreach (ThreadFacts thread in result.Threads.Select(assessment => assessment.Thread))
        {
            links._threads[thread.OsId.Value] = DmlCommands.Show(thread.OsId);
            foreach (FrameFacts frame in thread.Stack.Frames)
            {
                links._frames.TryAdd(Printable.Ascii(FrameText.Of(frame)), DmlCommands.Show(frame));
            }
        }

        foreach (LockId id in Locks(result))
        {
            links._locks.TryAdd(id.Address.Value, DmlCommands.Show(id));
        }

        return links;
    }

    /// <summary>The layout with these links in it, and the headline in bold.</summary>
    public TextReportOptions In(TextReportOptions layout)
    {
        ArgumentNullException.ThrowIfNull(layout);
        return layout with { Markup = Mark, Emphasize = headline => $"<b>{headline}</b>" };
    }

    /// <summary>A line of clean text as markup.</summary>
    public string Mark(string line)
    {
        ArgumentNullException.ThrowIfNull(line);
        string trimmed = line.Trim(' ');
        string frame = trimmed.EndsWith(Guessed, StringComparison.Ordinal) ? trimmed[..^Guessed.Length] : trimmed;
        return line.StartsWith(' ') && _frames.TryGetValue(frame, out string? command)
            ? Linked(line, line.IndexOf(frame, StringComparison.Ordinal), frame.Length, command)
            : MarkNumbers(line);
    }

    private string MarkNumbers(string line)
    {
        StringBuilder marked = new(line.Length);
        int end = 0;
        foreach (Match match in Mentions().Matches(line))
        {
            if (Command(match) is { } command)
            {
                marked.Append(Escaped(line[end..match.Index])).Append(Link(match.Value, command));
                end = match.Index + match.Length;
            }
        }

        return marked.Append(Escaped(line[end..])).ToString();
    }

    /// <summary>What a number stands for; none where it can be two things and nothing before it tells which.</summary>
    private string? Command(Match match)
    {
        if (!ulong.TryParse(match.Groups["number"].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong number))
        {
            return null;
        }

        string? thread = number <= uint.MaxValue ? _threads.GetValueOrDefault((uint)number) : null;
        string? @lock = _locks.GetValueOrDefault(number);
        return match.Groups["thread"].Success ? thread
            : thread is null || @lock is null ? thread ?? @lock
            : null;
    }

    private static IEnumerable<LockId> Locks(TriageResult result)
    {
        IEnumerable<Party> parties = new[] { result.Verdict.Culprit }.OfType<Party>()
            .Concat(result.Verdict.Victims)
            .Concat(result.Findings.SelectMany(finding => finding.Chain).Concat(result.Verdict.Chain).SelectMany(link => new[] { link.From, link.To }));
        IEnumerable<LockFacts> native = result.Snapshot.Windows is { } windows && windows.Locks.TryGet(out IReadOnlyList<LockFacts>? list) ? list : [];
        IEnumerable<LockFacts> loader = result.Snapshot.Windows is { } process && process.LoaderLock.TryGet(out LockFacts? lockFacts) ? [lockFacts] : [];
        return parties.Select(party => party.Lock).OfType<LockId>().Concat(loader.Concat(native).Select(facts => facts.Id));
    }

    private static string Linked(string line, int start, int length, string command)
        => Escaped(line[..start]) + Link(line.Substring(start, length), command) + Escaped(line[(start + length)..]);

    private static string Link(string text, string command) => $"<link cmd=\"{command}\">{Escaped(text)}</link>";

    private static string Escaped(string text)
        => text.Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal).Replace(">", "&gt;", StringComparison.Ordinal);

    // A thread as reports call it, or a number by itself; an offset behind a + is none.
    [GeneratedRegex(@"(?<thread>thread \d+ \(0x(?<number>[0-9a-f]+)\))|(?<![+\w])0x(?<number>[0-9a-f]+)\b", RegexOptions.CultureInvariant)]
    private static partial Regex Mentions();
}
