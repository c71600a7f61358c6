using System.Diagnostics;
using System.Globalization;

namespace HangTriage.Tests.Support.Waiting;

/// <summary>The processor time that a piece of work uses in this thread: other work on the machine is not in it.</summary>
public readonly struct OwnTime
{
    private const long TicksOfTime = 100;
    private const string Account = "/proc/thread-self/schedstat";

    private readonly long _start;

    private OwnTime(long start) => _start = start;

    public static OwnTime Start() => new(Now());

    public TimeSpan Elapsed => new(Now() - _start);

    // Elsewhere than on Linux the clock counts.
    private static long Now()
        => OperatingSystem.IsLinux()
            ? long.Parse(File.ReadAllText(Account).Split(' ')[0], CultureInfo.InvariantCulture) / TicksOfTime
            : Stopwatch.GetElapsedTime(0).Ticks;
}
