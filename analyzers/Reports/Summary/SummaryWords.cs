using System.Globalization;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Summary;

/// <summary>What a summary for people says of a group.</summary>
internal static class SummaryWords
{
    /// <summary>"2413 reports, 3 groups; 2 lines are no reports".</summary>
    public static string Head(SummaryTable table, IReadOnlyList<SummaryGroup> groups)
    {
        string bad = table.Bad == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"; {table.Bad} {(table.Bad == 1 ? "line or file is no report" : "lines or files are no reports")}");
        string left = table.Ungrouped == 0 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"; {table.Ungrouped} reports of further groups");
        return string.Create(CultureInfo.InvariantCulture, $"{table.Reports} report{(table.Reports == 1 ? string.Empty : "s")}, {Count.Of(groups.Count, "group")}{left}{bad}");
    }

    public static string Kind(SummaryGroup group)
        => Enum.TryParse(group.Representative.Kind, out Rules.Policy.VerdictKind kind) && Enum.IsDefined(kind) ? Words.Of(kind) : group.Representative.Kind;

    /// <summary>"HT1001, signature 1a2b3c4d".</summary>
    public static string Name(SummaryGroup group)
        => group.Representative.Rule is { } rule ? $"{rule}, signature {group.Hash}" : $"signature {group.Hash}";

    public static string? Frames(SummaryGroup group) => group.Representative.Frames.Count == 0 ? null : "in " + string.Join(", ", group.Representative.Frames);

    /// <summary>Null where no report says when.</summary>
    public static string? Seen(SummaryGroup group) => (group.FirstSeen, group.LastSeen) switch
    {
        ({ } first, { } last) when first == last => $"seen {Instant(first)}",
        ({ } first, { } last) => $"first seen {Instant(first)}, last seen {Instant(last)}",
        _ => null,
    };

    /// <summary>Programs and runtimes; null where none is known.</summary>
    public static string? Where(SummaryGroup group)
        => group.Processes.Count + group.Versions.Count == 0 ? null : string.Join(", ", group.Processes.Concat(group.Versions));

    public static string? Example(SummaryGroup group) => group.Representative.Place.Length == 0 ? null : $"for example {group.Representative.Place}";

    public static string Instant(DateTimeOffset instant) => instant.ToUniversalTime().ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC";
}
