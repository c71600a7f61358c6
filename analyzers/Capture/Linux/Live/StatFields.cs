using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>What the kernel says of a process or thread in its file stat (proc(5)).</summary>
/// <param name="Name">The first 15 characters of its name.</param>
/// <param name="State">One letter: R, S, D, T, t, Z, X, I.</param>
internal sealed record StatFields(string Name, char State)
{
    // USER_HZ: what the kernel shows to programs is in these ticks on every architecture that .NET runs on.
    private const int TicksPerSecond = 100;

    public required int Parent { get; init; }

    public required TimeSpan User { get; init; }

    public required TimeSpan Kernel { get; init; }

    /// <summary>Since the system started.</summary>
    public required TimeSpan Started { get; init; }

    /// <summary>Null where the process or thread is gone.</summary>
    public static StatFields? Read(string path) => ProcFile.Text(path) is { } text ? Parse(text) : null;

    /// <summary>Null for a line that makes no sense.</summary>
    public static StatFields? Parse(string line)
    {
        // A name can hold spaces and brackets: it ends at the last one.
        int open = line.IndexOf('(', StringComparison.Ordinal);
        int close = line.LastIndexOf(')');
        string[] rest = close > open ? line[(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries) : [];
        return open > 0 && rest.Length > 19 && rest[0].Length == 1
            ? new StatFields(line[(open + 1)..close], rest[0][0])
            {
                Parent = (int)Number(rest[1]),
                User = Ticks(rest[11]),
                Kernel = Ticks(rest[12]),
                Started = Ticks(rest[19]),
            }
            : null;
    }

    private static TimeSpan Ticks(string text) => TimeSpan.FromTicks(Math.Min(Number(text), long.MaxValue / TimeSpan.TicksPerSecond) * (TimeSpan.TicksPerSecond / TicksPerSecond));

    private static long Number(string text) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value) ? value : 0;
}
