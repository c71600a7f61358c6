using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Scheduling;

/// <summary>Very many small calls of one thread that runs most of the time.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Calls">How many.</param>
/// <param name="Bytes">What they asked for; null for calls of the registry.</param>
/// <param name="Name">"reads of 68 bytes on average".</param>
internal sealed record CallStorm(TraceThread Thread, long Calls, long? Bytes, string Name)
{
    /// <summary>It waits again and again, and is readied at once.</summary>
    public bool IsOfWaits { get; private init; }

    /// <summary>"229,604 reads of 68 bytes on average".</summary>
    public string Words => string.Create(CultureInfo.InvariantCulture, $"{Calls:#,0} {Name}");

    /// <summary>The largest storm of a thread; null where it makes none.</summary>
    public static CallStorm? Of(TraceThread thread)
    {
        if (!thread.Times.TryGet(out TraceTimes? times) || times.Running < RanLeast(thread))
        {
            return null;
        }

        long registry = thread.Registry.Sum(calls => calls.Count);
        string kind = thread.Registry is [var most, ..] && most.Count * 2 > registry ? $"registry calls, mostly {most.Name}" : "registry calls";
        CallStorm[] storms =
        [
            .. Tiny(thread, thread.Reads, "reads"),
            .. Tiny(thread, thread.Writes, "writes"),
            new CallStorm(thread, registry, Bytes: null, kind),
        ];
        return storms
            .Where(storm => storm.Calls >= Thresholds.StormCalls && storm.Calls >= times.Running.TotalSeconds * Thresholds.StormRate)
            .MaxBy(storm => storm.Calls);
    }

    /// <summary>Very many short waits, each ended at once; null where there are fewer, or one lasted.</summary>
    public static CallStorm? OfWaits(TraceThread thread)
    {
        long waits = thread.WaitReasons.Where(reason => !reason.IsReady).Sum(reason => reason.Count);
        return waits >= Thresholds.StormWaits
            && waits >= (thread.To - thread.From).TotalSeconds * Thresholds.StormWaitRate
            && thread.Times.HasValue
            && thread.LongestWait is { } longest && longest.Length < Thresholds.StormWait
                ? new CallStorm(thread, waits, Bytes: null,
                    $"short waits, none longer than {Durations.Of(longest.Length)}") { IsOfWaits = true } : null;
    }

    private static TimeSpan RanLeast(TraceThread thread) => (thread.To - thread.From) * Thresholds.StormRunning;

    private static IEnumerable<CallStorm> Tiny(TraceThread thread, TraceIo io, string what)
        => io.Mean <= Thresholds.TinyCall
            ? [new CallStorm(thread, io.Calls, io.Bytes, string.Create(CultureInfo.InvariantCulture, $"{what} of {io.Mean:0} bytes on average"))]
            : [];
}
