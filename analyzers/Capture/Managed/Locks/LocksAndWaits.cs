using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>Who holds which managed lock, and who waits for which.</summary>
/// <param name="Locks">Every inflated monitor in use, and every lock that a thread waits for.</param>
/// <param name="Waits">The waits for them.</param>
internal sealed record LocksAndWaits(Known<IReadOnlyList<LockFacts>> Locks, Known<IReadOnlyList<WaitFacts>> Waits)
{
    /// <summary>The sync blocks that these were read from; null where they are not known.</summary>
    public MonitorTable? Monitors { get; init; }

    /// <summary>Threads that have got their pulse, and have yet to return from Monitor.Wait: some wait for its lock.</summary>
    public IReadOnlyList<ThreadId> Woken { get; init; } = [];

    private const string Waiting = "waits for monitors";

    public static LocksAndWaits Unknown(string why)
        => new(Known.Unknown<IReadOnlyList<LockFacts>>("monitors", why), Known.Unknown<IReadOnlyList<WaitFacts>>(Waiting, why));

    public static LocksAndWaits Read(
        ClrRuntime runtime,
        IReadOnlyList<ClrThread> threads,
        Known<MonitorTable> monitors,
        string? typesMissing,
        ThreadFrames walked,
        CaptureContext context,
        List<Gap> gaps)
    {
        if (!monitors.TryGet(out MonitorTable? table))
        {
            return Unknown(monitors.Gap!.Why);
        }

        BlockingInfoLayout? layout = typesMissing is null ? Layout(runtime, gaps) : null;
        WaitResolver resolver = new(runtime, threads, table, layout, walked, context, gaps);
        if (typesMissing is not null)
        {
            return new(
                Known.Read<IReadOnlyList<LockFacts>>(resolver.Locks()),
                Known.Unknown<IReadOnlyList<WaitFacts>>(Waiting, typesMissing));
        }

        BlockingLists? lists = layout is null ? null : BlockingLists.Open(layout, runtime, threads);
        foreach (ClrThread thread in threads)
        {
            context.Step();
            resolver.Resolve(thread, lists);
        }

        // An empty table is what a runtime without contention has, and what is left where the table's memory is missing.
        if (table.Entries.Count == 0 && resolver.SawMonitorWait)
        {
            return Unknown("the table of sync blocks reads as empty while threads wait for monitors: its memory is not in the input");
        }

        return new(Known.Read<IReadOnlyList<LockFacts>>(resolver.Locks()), Known.Read<IReadOnlyList<WaitFacts>>(resolver.Waits))
        {
            Monitors = table,
            Woken = resolver.Woken,
        };
    }

    private static BlockingInfoLayout? Layout(ClrRuntime runtime, List<Gap> gaps)
    {
        try
        {
            return BlockingInfoLayout.Of(runtime);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed("ThreadBlockingInfo", e));
            return null;
        }
    }
}
