using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture.Live;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>Suspends a process, copies its registers and memory, and resumes it.</summary>
/// <param name="process">It.</param>
/// <param name="pause">How long it may stand still; a copy that is not whole by then ends there.</param>
/// <param name="journal">The guardian's, which resumes the process if this one is killed.</param>
/// <param name="limits">Bounds.</param>
internal sealed class WindowsStop(OpenProcess process, TimeSpan pause, StopJournal journal, CaptureLimits limits)
{
    // As much as memory of this age can be copied at best; more room would never be used.
    private const ulong BytesPerSecond = 10UL << 30;
    private const ulong Spare = 8UL << 20;

    /// <exception cref="TargetOpenException">It cannot be suspended or read; the message is one line.</exception>
    public LiveWindowsCopy Take()
    {
        StopRehearsal.Run(journal);
        using ThreadSuspender suspender = new(() => LiveThreads.Ids(process.Id, limits.Threads), journal);
        suspender.Open();
        RegionMap before = RegionMap.Of(process.Handle, limits.MemoryRanges);
        CopyBuffer memory = new(RoomFor(before));
        Thread.CurrentThread.Priority = ThreadPriority.Highest;
        try
        {
            return Take(suspender, before, memory);
        }
        catch
        {
            memory.Dispose();
            throw;
        }
        finally
        {
            Thread.CurrentThread.Priority = ThreadPriority.Normal;
        }
    }

    /// <summary>What is done while the process stands still.</summary>
    /// <param name="suspender">Of its threads.</param>
    /// <param name="before">Its memory, as it was a moment before.</param>
    /// <param name="list">Lists its memory once more.</param>
    /// <param name="copy">Gets the contents.</param>
    /// <param name="clock">How long it may take.</param>
    /// <returns>Its memory as it is.</returns>
    public static RegionMap CopyStopped(ThreadSuspender suspender, RegionMap before, Func<RegionMap> list, RegionCopy copy, StopClock clock)
    {
        suspender.Stop(clock);

        // However long the system took to suspend its threads: a sample without their stacks is worth nothing.
        clock.Start();
        copy.Copy(before.All, Stacks(suspender, before));

        // What it has mapped since it was listed, and before it stood still.
        RegionMap now = list();
        RegionMap map = now.Or(before);
        copy.Copy(now.Since(before), Stacks(suspender, map));
        return map;
    }

    private LiveWindowsCopy Take(ThreadSuspender suspender, RegionMap before, CopyBuffer memory)
    {
        StopClock clock = new(pause);
        long begin = Stopwatch.GetTimestamp();
        RegionCopy copy = new(process.Handle, memory, clock);
        (RegionMap map, TimeSpan stoodStill, DateTimeOffset takenAt) = (before, default, DateTimeOffset.UtcNow);
        try
        {
            (begin, takenAt) = (Stopwatch.GetTimestamp(), DateTimeOffset.UtcNow);
            clock.Start();
            map = CopyStopped(suspender, before, () => RegionMap.Of(process.Handle, limits.MemoryRanges, clock.Extended), copy, clock);
        }
        finally
        {
            suspender.Release();
            stoodStill = Stopwatch.GetElapsedTime(begin);
        }

        copy.Close();
        LiveThread[] threads = [.. suspender.Threads.Where(thread => thread.SuspendCount is not null)];
        return threads.Length == 0 || memory.Used == 0
            ? throw new TargetOpenException(WhyNothing(suspender, stoodStill))
            : new LiveWindowsCopy(process, map, memory)
            {
                TakenAt = takenAt,
                StoodStill = stoodStill,
                LeftOut = copy.LeftOut,
                Threads = threads,
                Gaps = [.. GapsOf(suspender, map)],
            };
    }

    private static HashSet<MemoryRegion> Stacks(ThreadSuspender suspender, RegionMap map)
    {
        const int rspAt = 0x98;
        return [.. suspender.Threads.Select(thread => thread.Context).OfType<byte[]>().Select(context => map.Find(BitConverter.ToUInt64(context, rspAt))).OfType<MemoryRegion>()];
    }

    private string WhyNothing(ThreadSuspender suspender, TimeSpan stoodStill)
        => process.HasEnded ? WindowsRefusal.Gone((int)process.Id)
            : suspender.Threads.Count == 0 ? WindowsRefusal.Of((int)process.Id, WindowsCalls.AccessDenied)
            : string.Create(CultureInfo.InvariantCulture, $"nothing of process {process.Id} could be copied within {stoodStill.TotalMilliseconds:0} ms; give more time with --pause");

    private ulong RoomFor(RegionMap map)
    {
        ulong writable = map.All.Where(region => region.IsWritable).Aggregate(0UL, (sum, region) => sum + region.Size);
        double best = Math.Min(pause.TotalSeconds * 2 * BytesPerSecond, limits.LiveCopyBytes);
        return (ulong)Math.Min(writable + (writable / 4) + Spare, best + Spare);
    }

    private IEnumerable<Gap> GapsOf(ThreadSuspender suspender, RegionMap map)
    {
        if (suspender.Refused > 0)
        {
            yield return new Gap("threads", string.Create(CultureInfo.InvariantCulture, $"{suspender.Refused} could not be suspended and ran on")) { IsLoss = true };
        }

        if (suspender.Threads.Count >= limits.Threads)
        {
            yield return new Gap("threads", $"more than the limit of {limits.Threads}; the rest ran on") { IsLoss = true };
        }

        if (map.IsLate)
        {
            yield return new Gap("memory that was mapped while the process was being stopped", "there was no time to list it; give more time with --pause");
        }

        if (map.IsCut)
        {
            yield return new Gap("memory", $"more than the limit of {limits.MemoryRanges} ranges") { IsLoss = true };
        }
    }
}
