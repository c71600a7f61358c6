using System.Globalization;

namespace HangTriage.Traces.Perf;

/// <summary>
/// One line of <c>perf script</c>: "comm pid/tid [cpu] seconds.fraction: event: fields" ("comm tid" without the option
/// <c>-F +pid</c>). A comm may hold spaces, so what follows it is found from behind.
/// </summary>
internal readonly ref struct PerfLine
{
    /// <summary>The event's name: "sched:sched_switch".</summary>
    public ReadOnlySpan<char> Event { get; private init; }

    /// <summary>What the event says.</summary>
    public ReadOnlySpan<char> Fields { get; private init; }

    /// <summary>The comm of the thread that ran.</summary>
    public ReadOnlySpan<char> Comm { get; private init; }

    /// <summary>Null for a thread that has gone: perf writes -1.</summary>
    public uint? Tid { get; private init; }

    /// <summary>Null where the line names the thread alone.</summary>
    public uint? Pid { get; private init; }

    public int Processor { get; private init; }

    /// <summary>In steps of 100 ns since the machine's start.</summary>
    public long Time { get; private init; }

    /// <summary>In nanoseconds since the machine's start.</summary>
    public long Stamp { get; private init; }

    /// <summary>Tries each place that looks like a processor's, since a comm may look like one.</summary>
    public static bool TryParse(ReadOnlySpan<char> line, out PerfLine parsed)
    {
        int from = 0;
        while (line[from..].IndexOf(" [") is >= 0 and int found)
        {
            int open = from + found;
            if (IsProcessor(line[(open + 2)..]) && TryParse(line, open, out parsed))
            {
                return true;
            }

            from = open + 2;
        }

        parsed = default;
        return false;
    }

    private static bool TryParse(ReadOnlySpan<char> line, int open, out PerfLine parsed)
    {
        parsed = default;
        ReadOnlySpan<char> rest = line[(open + 2)..];
        int close = rest.IndexOf(']');
        int processor = int.Parse(rest[..close], NumberStyles.None, CultureInfo.InvariantCulture);
        rest = rest[(close + 1)..].TrimStart();
        int colon = rest.IndexOf(':');
        if (colon < 0 || !TryTime(rest[..colon], out long nanoseconds) || !TryThread(line[..open].Trim(), out uint? pid, out uint? tid, out ReadOnlySpan<char> comm))
        {
            return false;
        }

        rest = rest[(colon + 1)..].TrimStart();
        int end = rest.IndexOf(": ");
        if (end < 0 && !rest.EndsWith(":"))
        {
            return false;
        }

        parsed = new PerfLine
        {
            Event = end < 0 ? rest[..^1] : rest[..end],
            Fields = end < 0 ? [] : rest[(end + 2)..].Trim(),
            Comm = comm,
            Tid = tid,
            Pid = pid,
            Processor = processor,
            Time = nanoseconds / TimeSpan.NanosecondsPerTick,
            Stamp = nanoseconds,
        };
        return true;
    }

    private static bool IsProcessor(ReadOnlySpan<char> rest)
    {
        int close = rest.IndexOf(']');
        return close is > 0 and <= 4 && !rest[..close].ContainsAnyExceptInRange('0', '9');
    }

    private static bool TryTime(ReadOnlySpan<char> text, out long nanoseconds)
    {
        const int Digits = 9;
        const long Longest = 1_000_000_000;
        nanoseconds = 0;
        int point = text.IndexOf('.');
        if (point <= 0 || text.Length - point - 1 is < 1 or > Digits
            || !long.TryParse(text[..point], NumberStyles.None, CultureInfo.InvariantCulture, out long seconds) || seconds > Longest
            || !long.TryParse(text[(point + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out long fraction))
        {
            return false;
        }

        for (int i = text.Length - point - 1; i < Digits; i++)
        {
            fraction *= 10;
        }

        nanoseconds = (seconds * 1_000_000_000) + fraction;
        return true;
    }

    private static bool TryThread(ReadOnlySpan<char> text, out uint? pid, out uint? tid, out ReadOnlySpan<char> comm)
    {
        int space = text.LastIndexOf(' ');
        ReadOnlySpan<char> ids = text[(space + 1)..];
        comm = space < 0 ? default : text[..space].Trim();
        int slash = ids.IndexOf('/');
        pid = slash > 0 && uint.TryParse(ids[..slash], NumberStyles.None, CultureInfo.InvariantCulture, out uint process) ? process : null;
        tid = uint.TryParse(ids[(slash + 1)..], NumberStyles.None, CultureInfo.InvariantCulture, out uint thread) ? thread : null;
        return tid is not null || ids[(slash + 1)..] is "-1";
    }
}
