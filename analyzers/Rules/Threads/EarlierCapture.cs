using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>An earlier capture of the same process. One capture is an instant; two are a difference.</summary>
public sealed class EarlierCapture
{
    // Minidumps state times in whole seconds.
    private static readonly TimeSpan s_resolution = TimeSpan.FromSeconds(1);

    private readonly Dictionary<ThreadId, ThreadFacts> _threads = [];

    private EarlierCapture(ProcessSnapshot snapshot, TimeSpan between)
    {
        Snapshot = snapshot;
        Between = between;
        foreach (ThreadFacts thread in snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? threads : [])
        {
            _threads.TryAdd(thread.OsId, thread);
        }
    }

    public ProcessSnapshot Snapshot { get; }

    /// <summary>From this capture to the later one.</summary>
    public TimeSpan Between { get; }

    /// <summary>Joins two captures; null where they are not known to be of one process, or not in this order.</summary>
    /// <param name="later">The capture that is judged.</param>
    /// <param name="earlier">The one before it.</param>
    /// <param name="whyNot">A clause about the earlier one; empty where the two are joined.</param>
    public static EarlierCapture? Join(ProcessSnapshot later, ProcessSnapshot earlier, out string whyNot)
    {
        ArgumentNullException.ThrowIfNull(later);
        ArgumentNullException.ThrowIfNull(earlier);
        whyNot = WhyNot(later.Target, earlier.Target);
        return whyNot.Length == 0
            ? new EarlierCapture(earlier, later.Target.CapturedAt.Value - earlier.Target.CapturedAt.Value)
            : null;
    }

    /// <summary>The same thread in this capture: its id and, where both are known, its start. Null where it did not live then.</summary>
    public ThreadFacts? Find(ThreadFacts thread)
    {
        ArgumentNullException.ThrowIfNull(thread);
        return _threads.TryGetValue(thread.OsId, out ThreadFacts? then)
            && !(thread.StartedAt.TryGet(out DateTimeOffset start) && then.StartedAt.TryGet(out DateTimeOffset startThen) && start != startThen)
                ? then
                : null;
    }

    private static string WhyNot(TargetFacts later, TargetFacts earlier)
    {
        if (!later.Pid.TryGet(out uint pid) || !earlier.Pid.TryGet(out uint earlierPid))
        {
            return "whether it is of the same process cannot be told: a process id is not known";
        }

        if (pid != earlierPid)
        {
            return string.Create(CultureInfo.InvariantCulture, $"it is of another process: {earlierPid}, not {pid}");
        }

        if (later.Os != earlier.Os || later.Architecture != earlier.Architecture)
        {
            return "it is of another process: system or architecture differ";
        }

        if (later.StartedAt.TryGet(out DateTimeOffset start) && earlier.StartedAt.TryGet(out DateTimeOffset earlierStart)
            && (start - earlierStart).Duration() > s_resolution)
        {
            return string.Create(CultureInfo.InvariantCulture, $"it is of another process: that one started at {earlierStart:u}, this one at {start:u}");
        }

        return !later.CapturedAt.TryGet(out DateTimeOffset captured) || !earlier.CapturedAt.TryGet(out DateTimeOffset earlierCaptured)
            ? "when a capture was taken is not known"
            : earlierCaptured >= captured ? "it was not taken before the other"
            : string.Empty;
    }
}
