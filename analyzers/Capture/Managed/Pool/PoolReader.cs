using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>
/// Reads the portable thread pool (.NET 6 and later) from its static objects, without a walk of the heap: the 16-bit fields
/// of PortableThreadPool.ThreadPoolInstance._separated.counts._data, and the queues of ThreadPool.s_workQueue.
/// </summary>
internal static class PoolReader
{
    private const string What = "thread pool";
    private const string Type = "System.Threading.PortableThreadPool";

    /// <summary>The pool itself; a null object where it was never used.</summary>
    public static ClrObject Instance(StaticObjects statics) => statics.Find(Type, "ThreadPoolInstance");

    /// <summary>Null where the pool was never used.</summary>
    public static Known<PoolFacts>? Read(ClrRuntime runtime, Known<IReadOnlyList<WaitFacts>> waits, string? missing, CaptureContext context)
    {
        if (missing is not null)
        {
            return Known.Unknown<PoolFacts>(What, missing);
        }

        try
        {
            return Read(runtime, waits, context);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return Known<PoolFacts>.Unknown(Attempt.Failed(What, e));
        }
    }

    private static Known<PoolFacts>? Read(ClrRuntime runtime, Known<IReadOnlyList<WaitFacts>> waits, CaptureContext context)
    {
        ClrThreadPool? known = runtime.ThreadPool;
        if (known?.UsingWindowsThreadPool == true)
        {
            return Known.Unknown<PoolFacts>(What, "the process uses the Windows thread pool, whose queues are not .NET's");
        }

        StaticObjects statics = new(runtime);
        if (!statics.HasType(Type))
        {
            // A type that no code has come to is not loaded: the pool was never used.
            return runtime.ClrInfo.Flavor == ClrFlavor.Core && statics.Find(PoolQueueReader.Type, PoolQueueReader.Field).IsNull
                ? null
                : Known.Unknown<PoolFacts>(What, "this version of .NET has a pool of another kind, which is not read");
        }

        ClrObject pool = Instance(statics);
        if (pool.IsNull)
        {
            return null;
        }

        Known<PoolWorkers> workers = Workers(pool);
        if (workers.Is(counts => counts.Existing == 0) && statics.Find(PoolQueueReader.Type, PoolQueueReader.Field).IsNull)
        {
            return null;
        }

        return Known.Read(new PoolFacts
        {
            Workers = workers,
            KnownBlocked = Fields.Read<short>(pool, "_numBlockedThreads").Select(count => (uint)Math.Max((short)0, count)),
            Queued = new PoolQueueReader(statics, context).Read(),
            StarvationEntries = StarvationEntries(known, statics),
            Items = QueuedItems.Read(runtime, context),
            Completed = CompletedItems.Read(runtime, context),
            Ends = QueuedEnds.Read(runtime, waits, context),
        });
    }

    // The object that keeps the log is made when the pool first looks at its throughput.
    private static Known<uint> StarvationEntries(ClrThreadPool? pool, StaticObjects statics)
        => pool is null ? Known.Unknown<uint>("log of the thread pool", "the runtime's data access does not give it")
            : statics.Find("System.Threading.PortableThreadPool+HillClimbing", "ThreadPoolHillClimber").IsNull ? Known.Read(0u)
            : Attempt.Read("log of the thread pool",
                () => Known.Read((uint)pool.EnumerateHillClimbingLog().Count(entry => entry.StateOrTransition == HillClimbingTransition.Starvation)));

    private static Known<PoolWorkers> Workers(ClrObject pool)
        => Fields.Read<ulong>(pool, "_separated", "counts", "_data").TryGet(out ulong counts)
            && Fields.Read<short>(pool, "_minThreads").TryGet(out short least)
            && Fields.Read<short>(pool, "_maxThreads").TryGet(out short most)
                ? Known.Read(new PoolWorkers((ushort)counts, (ushort)(counts >> 16), (ushort)(counts >> 32), (ushort)least, (ushort)most))
                : Known.Unknown<PoolWorkers>("workers of the thread pool", "the pool's counts have other names, or are not in the input");
}
