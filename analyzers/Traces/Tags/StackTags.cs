using System.Globalization;

namespace HangTriage.Traces.Tags;

/// <summary>Says what stacks mean. The first match from the deepest frame wins, unless a tag of higher priority fits a frame above it.</summary>
public sealed class StackTags
{
    private const int MostLines = 10_000;
    private const int LongestLine = 1_000;
    private const int MostRemembered = 200_000;

    /// <summary>What a user writes goes before what is built in, unless the line says otherwise.</summary>
    private const int PriorityOfUser = 20;

    private readonly IReadOnlyList<StackTag> _tags;
    private readonly Dictionary<string, StackTag?> _known = new(StringComparer.Ordinal);

    private StackTags(IReadOnlyList<StackTag> tags) => _tags = tags;

    /// <summary>The built-in tags alone.</summary>
    public static StackTags BuiltIn() => new(BuiltInTags.Rows);

    /// <summary>The tags of a text, before the built-in ones: a line "NAME: PATTERN", or "NAME [PRIORITY]: PATTERN"; empty lines and those with # are left out.</summary>
    /// <exception cref="FormatException">A line is none; the message says which, and what is expected.</exception>
    public static StackTags Parse(TextReader text)
    {
        ArgumentNullException.ThrowIfNull(text);
        List<StackTag> tags = [];
        for (int number = 1; text.ReadLine() is { } line; number++)
        {
            if (number > MostLines || line.Length > LongestLine)
            {
                throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"line {number}: more than {MostLines} lines, or {LongestLine} characters"));
            }

            if (line.Trim() is { Length: > 0 } trimmed && trimmed[0] != '#')
            {
                tags.Add(Of(trimmed) ?? throw new FormatException(string.Create(CultureInfo.InvariantCulture, $"line {number}: expected 'NAME: PATTERN' or 'NAME [PRIORITY]: PATTERN'")));
            }
        }

        return new StackTags([.. tags, .. BuiltInTags.Rows]);
    }

    /// <summary>What a stack means; null where no tag fits.</summary>
    /// <param name="frames">Innermost first.</param>
    public string? Of(IEnumerable<string> frames)
    {
        ArgumentNullException.ThrowIfNull(frames);
        StackTag? best = null;
        foreach (string frame in frames)
        {
            if (Find(frame) is { } tag && (best is null || tag.Priority > best.Priority))
            {
                best = tag;
            }
        }

        return best?.Name;
    }

    private static StackTag? Of(string line)
    {
        int colon = line.IndexOf(':', StringComparison.Ordinal);
        if (colon <= 0 || line[(colon + 1)..].Trim() is not { Length: > 0 } pattern)
        {
            return null;
        }

        string name = line[..colon].Trim();
        int bracket = name.LastIndexOf('[');
        if (bracket < 0)
        {
            return name.Length > 0 ? new StackTag(name, PriorityOfUser, pattern) : null;
        }

        return bracket > 0 && name[^1] == ']' && int.TryParse(name.AsSpan(bracket + 1, name.Length - bracket - 2), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int priority)
            ? new StackTag(name[..bracket].Trim(), priority, pattern) : null;
    }

    // Of several that fit one frame the highest priority counts, and of one priority the first.
    private StackTag? Find(string frame)
    {
        if (!_known.TryGetValue(frame, out StackTag? tag))
        {
            tag = _tags.Where(one => one.Fits(frame)).MaxBy(one => one.Priority);
            if (_known.Count < MostRemembered)
            {
                _known.Add(frame, tag);
            }
        }

        return tag;
    }
}
