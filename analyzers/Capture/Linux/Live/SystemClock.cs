using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>The kernel counts the starts of processes from its own.</summary>
internal static class SystemClock
{
    /// <summary>To the second; null where the kernel does not say.</summary>
    public static DateTimeOffset? BootTime()
    {
        foreach (ReadOnlySpan<char> line in (ProcFile.Text("/proc/stat") ?? string.Empty).AsSpan().EnumerateLines())
        {
            if (line.StartsWith("btime ", StringComparison.Ordinal)
                && long.TryParse(line[6..], NumberStyles.None, CultureInfo.InvariantCulture, out long seconds)
                && seconds <= DateTimeOffset.MaxValue.ToUnixTimeSeconds() / 2)
            {
                return DateTimeOffset.FromUnixTimeSeconds(seconds);
            }
        }

        return null;
    }
}
