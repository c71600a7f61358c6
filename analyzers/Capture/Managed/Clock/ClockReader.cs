using System.Runtime.InteropServices;
using HangTriage.Facts;
using HangTriage.Facts.Time;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>
/// Reads the moment of the capture: on Linux by the time limits of waits, on Windows by the page that it shows to every process. The
/// timers of .NET count on a clock of their own on Windows.
/// </summary>
internal sealed class ClockReader(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Finalizer = "the finalizer thread's time limit";
    private const string Windows = "the clock of Windows";

    // LINUX_HEAP_DUMP_TIME_OUT of finalizerthread.cpp: as long the finalizer thread waits at most before it looks round.
    private static readonly TimeSpan s_finalizerWaits = TimeSpan.FromSeconds(10);

    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly Dictionary<ThreadId, TimeSpan> _ends = [];

    /// <summary>What tells the age of a wait with a time limit.</summary>
    public const string Limit = "the wait's time limit";

    /// <summary>When the waits of threads end by themselves.</summary>
    public IReadOnlyDictionary<ThreadId, TimeSpan> Ends => _ends;

    /// <param name="waits">The waits that are on record; their time limits count.</param>
    /// <param name="timers">The timers that are set.</param>
    /// <param name="ofTimers">The same moment on the clock of timers; null where it is not known.</param>
    public Known<ClockFacts>? Read(IReadOnlyList<WaitFacts> waits, IReadOnlyList<SetTimer> timers, out ClockFacts? ofTimers)
    {
        MomentBounds bounds = new();
        MomentBounds timerBounds = _reader.TargetPlatform == OSPlatform.Windows ? new MomentBounds() : bounds;
        AddThreads(bounds, waits.Where(HasReadLimit).ToLookup(wait => wait.Thread, wait => wait.Timeout.Value));
        foreach (SetTimer timer in timers)
        {
            timerBounds.NotBefore(timer.SetAt, SetTimer.Source);
        }

        if (SharedUserData.Read(_reader) is { } shared)
        {
            bounds.Is(shared.Ticks, Windows);
            timerBounds.Is(shared.Unbiased, Windows);
        }

        ofTimers = timerBounds.Read() is { HasValue: true } known ? known.Value : null;
        return bounds.Read();
    }

    public static bool HasReadLimit(WaitFacts wait) => wait.Trust == Trust.Read && wait.Timeout.Is(time => time > TimeSpan.Zero);

    private void AddThreads(MomentBounds bounds, ILookup<ThreadId, TimeSpan> limits)
    {
        foreach (ClrThread thread in threads)
        {
            context.Step();
            ThreadId id = new(thread.OSThreadId);
            if (FutexDeadlines.Of(_reader, thread.OSThreadId) is not { } end || !_ends.TryAdd(id, end))
            {
                continue;
            }

            bounds.BeforeEnd(end, Limit);
            if (thread.IsFinalizer && !walked.Of(thread).Any(frame => frame.Kind == ClrStackFrameKind.ManagedMethod))
            {
                bounds.NotBefore(end - s_finalizerWaits, Finalizer);
            }

            if (limits.Contains(id))
            {
                bounds.NotBefore(end - limits[id].Max(), Limit);
            }
        }
    }
}
