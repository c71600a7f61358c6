using System.Globalization;

namespace HangTriage.Benchmarks;

/// <summary>What a figure has to be read with: how many processors, and how much else they have to do.</summary>
internal static class Machine
{
    public static string Describe()
    {
        string load = string.Join(' ', File.ReadAllText("/proc/loadavg").Split(' ').Take(3));
        string now = DateTime.UtcNow.ToString("yyyy-MM-dd HH:mm", CultureInfo.InvariantCulture);
        return $"{now} UTC, {Environment.ProcessorCount} processors, load {load}";
    }
}
