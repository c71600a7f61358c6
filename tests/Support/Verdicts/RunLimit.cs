using System.Diagnostics;
using System.Globalization;

namespace HangTriage.Tests.Support.Verdicts;

/// <summary>When a run counts as one that does not end: on a busy machine it must also have had some processor time for that.</summary>
public static class RunLimit
{
    private const int Patience = 5;
    private const long TicksOfClock = TimeSpan.TicksPerSecond / 100;

    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_fairShare = TimeSpan.FromSeconds(5);

    /// <summary>Waits for the end of a run; false where it does not end.</summary>
    /// <param name="process">The process of the run, and those that it has started.</param>
    /// <param name="hasEnded">Waits so long, and says whether the run has ended.</param>
    /// <param name="limit">How long a run may take that gets the processor.</param>
    public static bool Wait(Process process, Func<TimeSpan, bool> hasEnded, TimeSpan limit)
    {
        Stopwatch watch = Stopwatch.StartNew();
        TimeSpan before = ProcessorTime(process.Id);
        while (!hasEnded(s_interval))
        {
            if (watch.Elapsed > limit && (ProcessorTime(process.Id) - before > s_fairShare || watch.Elapsed > Patience * limit))
            {
                return false;
            }
        }

        return true;
    }

    // utime and stime are the 14th and 15th field of /proc/PID/stat; the name, the second, can hold spaces.
    private static TimeSpan ProcessorTime(int process)
    {
        try
        {
            string status = File.ReadAllText($"/proc/{process}/stat");
            string[] fields = status[(status.LastIndexOf(')') + 2)..].Split(' ');
            long own = long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture);
            IEnumerable<TimeSpan> children = File.ReadAllText($"/proc/{process}/task/{process}/children")
                .Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(child => ProcessorTime(int.Parse(child, CultureInfo.InvariantCulture)));
            return children.Aggregate(new TimeSpan(own * TicksOfClock), (sum, child) => sum + child);
        }
        catch (IOException)
        {
            // A process can end at any time, and only Linux has these files: then patience alone counts.
            return TimeSpan.Zero;
        }
    }
}
