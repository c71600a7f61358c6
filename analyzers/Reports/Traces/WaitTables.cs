using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Traces;

/// <summary>The longest waits with their stacks, and what samples stand for.</summary>
internal static class WaitTables
{
    private const int MostRows = 10;
    private const int MostFrames = 3;

    /// <summary>Null where no thread waited, or nothing but its time is known.</summary>
    public static TraceTable? Longest(IReadOnlyList<TraceThread> threads)
    {
        TraceThread[] shown =
        [
            .. threads.Where(thread => thread.LongestWait is { } wait && (wait.Stack.HasValue || (wait.By.TryGet(out TraceReadiedBy? by) && by.Stack.HasValue)))
                .OrderByDescending(thread => thread.LongestWait!.Length).ThenBy(thread => thread.OsId),
        ];
        return shown.Length == 0 ? null : new TraceTable(
            "Longest waits and their stacks",
            ["thread", "waited", "for", "in", "ended by", "for", "in"],
            [.. shown.Take(MostRows).Select(Row)],
            shown.Length > MostRows ? string.Create(CultureInfo.InvariantCulture, $"... and {shown.Length - MostRows} more.") : null);
    }

    /// <summary>Null where no tag fits a sample.</summary>
    public static TraceTable? Tags(IReadOnlyList<TraceThread> threads)
    {
        (string Name, long Samples, int Threads)[] tags =
        [
            .. threads.SelectMany(thread => thread.Tags)
                .GroupBy(tag => tag.Name, StringComparer.Ordinal)
                .Select(group => (group.Key, Samples: group.Sum(tag => tag.Samples), group.Count()))
                .OrderByDescending(tag => tag.Samples).ThenBy(tag => tag.Key, StringComparer.Ordinal),
        ];
        double all = threads.Sum(thread => thread.Samples);
        return tags.Length == 0 ? null : new TraceTable(
            "What samples stand for",
            ["tag", "samples", "share", "threads"],
            [.. tags.Take(MostRows).Select(tag => (string[])[tag.Name, tag.Samples.ToString("#,0", CultureInfo.InvariantCulture), string.Create(CultureInfo.InvariantCulture, $"{tag.Samples * 100 / all:0.#}%"), tag.Threads.ToString(CultureInfo.InvariantCulture)])]);
    }

    private static string[] Row(TraceThread thread)
    {
        TraceWait wait = thread.LongestWait!;
        TraceReadiedBy? by = wait.By.TryGet(out TraceReadiedBy? known) ? known : null;
        return
        [
            thread.OsId.ToString(), Durations.Of(wait.Length) + (wait.IsOpen ? " (to the end)" : ""), wait.Tag ?? "", Stack(wait.Stack),
            by is null ? "" : $"{by.Thread} of {(by.ProcessName.TryGet(out string? name) ? name : "?")}", by?.Tag ?? "", by is null ? "" : Stack(by.Stack),
        ];
    }

    private static string Stack(Known<IReadOnlyList<string>> known)
        => known.TryGet(out IReadOnlyList<string>? frames) ? string.Join(" < ", frames.Take(MostFrames)) + (frames.Count > MostFrames ? " < ..." : "") : "";
}
