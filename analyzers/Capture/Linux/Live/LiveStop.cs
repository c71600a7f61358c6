using System.Globalization;
using HangTriage.Facts;
using HangTriage.Capture.Live;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Stops a process, copies its registers and memory, and lets it continue.</summary>
/// <param name="process">Its id.</param>
/// <param name="pause">How long it may stand still; a copy that is not whole by then ends there.</param>
/// <param name="limits">Bounds.</param>
internal sealed class LiveStop(int process, TimeSpan pause, CaptureLimits limits)
{
    // As much as memory of this age can be copied at best; more room would never be used.
    private const ulong BytesPerSecond = 10UL << 30;
    private const ulong Spare = 8UL << 20;
    private const int HighestPriority = -20;

    private readonly List<Gap> _gaps = [];

    /// <exception cref="TargetOpenException">It cannot be stopped or read; the message is one line.</exception>
    public LiveCopy Take()
    {
        LiveCopy? copy = null;
        Exception? failure = null;

        // Every call of ptrace has to come from one thread of the system; when it ends, so does every stop.
        Thread thread = new(() =>
        {
            try
            {
                Rehearsal.Run();

                // While others compete for the processors, the target waits for us with all of its threads.
                _ = SystemCalls.SetPriority(0, 0, HighestPriority);
                copy = TakeHere();
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                failure = e;
            }
        }) { IsBackground = true };
        thread.Start();
        thread.Join();
        return failure switch
        {
            null => copy!,
            TargetOpenException known => throw known,
            IOException or UnauthorizedAccessException => throw new TargetOpenException(LiveRefusal.Explain(process), failure),
            _ => throw new TargetOpenException($"the process cannot be read: {Attempt.OneLine(failure.Message)}", failure),
        };
    }

    /// <summary>Where the stacks of the stopped threads are.</summary>
    public static IReadOnlyList<ulong> StackPointers(ThreadStopper stopper)
        => [.. stopper.Threads.Select(thread => thread.Registers).OfType<byte[]>().Select(registers => ThreadRegistersX64.StackPointer(registers))];

    private LiveCopy TakeHere()
    {
        Dictionary<int, (uint Inner, KernelThread? Kernel)> known = ReadThreads();
        using PageTable pages = new(process);
        MemoryCopy memory = new(RoomFor(pages));
        ThreadStopper stopper = new(process, limits.Threads);
        StopClock clock = new(pause);
        CopyOrder order = new(process, memory, clock);
        (MemoryMaps? maps, TimeSpan stoodStill, DateTimeOffset takenAt) = (null, default, DateTimeOffset.UtcNow);
        try
        {
            clock.Start();
            stopper.Stop(clock);
            if (stopper.Threads.Any(thread => thread.IsStopped))
            {
                maps = MemoryMaps.Of(process, limits.MemoryRanges);
                order.Copy(maps, pages, StackPointers(stopper));
            }
        }
        finally
        {
            stopper.Release();
            stoodStill = clock.Elapsed;
        }

        if (maps is null)
        {
            memory.Dispose();
            throw new TargetOpenException(WhyNothing(stopper, stoodStill));
        }

        Leave(stopper);
        return new LiveCopy(process, maps, memory)
        {
            TakenAt = takenAt,
            StoodStill = stoodStill,
            LeftOut = order.LeftOut,
            Registers = Registers(stopper, known),
            Threads = Threads(stopper, known),
            Gaps = _gaps,
        };
    }

    private void Leave(ThreadStopper stopper)
    {
        AddGaps(stopper);
        stopper.ReleaseLate();
    }

    private string WhyNothing(ThreadStopper stopper, TimeSpan stoodStill)
        => stopper.Threads.Any(thread => !thread.IsGone)
            ? string.Create(CultureInfo.InvariantCulture, $"none of the {stopper.Threads.Count} threads of process {process} stopped within {stoodStill.TotalMilliseconds:0} ms; give more time with --pause")
            : LiveRefusal.Explain(process);

    private Dictionary<int, (uint Inner, KernelThread? Kernel)> ReadThreads()
    {
        DateTimeOffset? boot = SystemClock.BootTime();
        Dictionary<int, (uint, KernelThread?)> threads = [];
        foreach (int id in TaskFolder.Ids(process).Take(limits.Threads))
        {
            threads[id] = (InnerId(id), ThreadFiles.Read(process, id, boot));
        }

        return threads;
    }

    private uint InnerId(int thread) => ThreadFiles.InnerId(ProcFile.Text($"/proc/{process}/task/{thread}/status"), thread);

    private ulong RoomFor(PageTable pages)
    {
        ulong filled = 0;
        List<SystemCalls.MemoryRange> ranges = [];
        StopClock clock = new(TimeSpan.FromSeconds(2));
        foreach (MemoryMap map in MemoryMaps.Of(process, limits.MemoryRanges).All.Where(map => map is { IsWritable: true, IsReadable: true }))
        {
            ranges.Clear();
            filled += pages.AddFilled(map, ranges, clock);
        }

        double best = Math.Min(pause.TotalSeconds * BytesPerSecond, limits.LiveCopyBytes);
        return (ulong)Math.Min(filled + (filled / 4) + Spare, best + Spare);
    }

    private static Dictionary<uint, byte[]> Registers(ThreadStopper stopper, Dictionary<int, (uint Inner, KernelThread? Kernel)> known)
        => stopper.Threads.Where(thread => thread.Registers is not null).GroupBy(thread => known.TryGetValue(thread.Id, out var found) ? found.Inner : (uint)thread.Id)
            .ToDictionary(group => group.Key, group => group.First().Registers!);

    private Dictionary<uint, KernelThread?> Threads(ThreadStopper stopper, Dictionary<int, (uint Inner, KernelThread? Kernel)> known)
        => stopper.Threads.Where(thread => !thread.IsGone)
            .Select(thread => known.TryGetValue(thread.Id, out (uint Inner, KernelThread? Kernel) found) ? found : (InnerId(thread.Id), null))
            .DistinctBy(thread => thread.Item1)
            .ToDictionary(thread => thread.Item1, thread => thread.Item2);

    private void AddGaps(ThreadStopper stopper)
    {
        foreach (TracedThread thread in stopper.Threads.Where(thread => thread is { IsStopped: false, IsGone: false, IsInKernel: true }))
        {
            thread.Registers = ThreadRegistersX64.OfCall(ProcFile.Text($"/proc/{process}/task/{thread.Id}/syscall"));
        }

        int ran = stopper.Threads.Count(thread => thread is { IsStopped: false, IsGone: false, IsInKernel: false });
        if (ran > 0)
        {
            _gaps.Add(new Gap(
                "threads",
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{ran} threads did not stop in time and ran on while memory was copied; give more time with --pause"))
            {
                IsLoss = true,
                IsPassing = true,
            });
        }

        if (stopper.Refusal is not null)
        {
            _gaps.Add(new Gap("threads", "the kernel refused to stop some of them") { IsLoss = true });
        }

        if (stopper.Threads.Count >= limits.Threads)
        {
            _gaps.Add(new Gap("threads", $"more than the limit of {limits.Threads}; the rest ran on") { IsLoss = true });
        }
    }
}
