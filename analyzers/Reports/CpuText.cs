using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Reports;

/// <summary>Writes processor time as debuggers do: 2:14:28.671, with days in front where there are any.</summary>
internal static class CpuText
{
    /// <summary>"?" where the time is not known.</summary>
    public static string Of(Known<CpuTime> cpu) => cpu.TryGet(out CpuTime? time) ? Of(time.Total()) : "?";

    /// <summary>Total, user and kernel time; null where they are not known.</summary>
    public static string? Detail(Known<CpuTime> cpu)
        => cpu.TryGet(out CpuTime? time) ? $"{Of(time.Total())} (user {Of(time.User)}, kernel {Of(time.Kernel)})" : null;

    public static string Of(TimeSpan time)
        => time.Days > 0
            ? string.Create(CultureInfo.InvariantCulture, $"{time.Days}d {time:h\\:mm\\:ss\\.fff}")
            : time.ToString(@"h\:mm\:ss\.fff", CultureInfo.InvariantCulture);
}
