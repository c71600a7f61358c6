using HangTriage.Capture.Live;
using HangTriage.Facts;

namespace HangTriage.Cli.Live;

/// <summary>What two looks at a process say of whether it hangs. No more than a hint: an idle one looks as a hung one does.</summary>
/// <param name="Process">As it was at the second look.</param>
/// <param name="Signs">In words.</param>
/// <param name="Rank">The higher, the more it looks hung.</param>
/// <param name="CpuShare">Of one processor, between the looks.</param>
internal sealed record ProcessLook(ProcessEntry Process, string Signs, int Rank, double CpuShare)
{
    // A loop that never waits has nearly all of a processor; the rest is for others that compete for it.
    private const double WholeProcessor = 0.85;

    // What timers and the heartbeat of a runtime use, seen of idle services.
    private const double NoCpu = 0.02;
    private const long NoTransfer = 1_024;

    public static ProcessLook Of(ProcessEntry then, ProcessEntry now, TimeSpan between)
    {
        double share = Math.Max(0, (now.Cpu.Total() - then.Cpu.Total()) / between);
        bool isStopped = now.Threads.Count > 0 && now.Threads.Values.All(thread => thread.State is KernelThreadState.Stopped or KernelThreadState.Traced);
        ThreadEntry[] spinners = [.. now.Threads.Where(pair => then.Threads.TryGetValue(pair.Key, out ThreadEntry? before) && (pair.Value.Cpu.Total() - before.Cpu.Total()) / between >= WholeProcessor).Select(pair => pair.Value)];
        int inKernel = now.Threads.Count(pair => pair.Value.State == KernelThreadState.Uninterruptible && then.Threads.TryGetValue(pair.Key, out ThreadEntry? before) && before.State == KernelThreadState.Uninterruptible);
        bool isAsleep = now.Threads.Values.All(thread => thread.State == KernelThreadState.Sleeping);
        bool isQuiet = share < NoCpu && now.Transferred - then.Transferred is null or < NoTransfer;
        WorkerLook workers = WorkerLook.Of(then, now);
        (string signs, int rank) = (isStopped, spinners, inKernel) switch
        {
            (true, _, _) => ("stopped by a signal or a debugger", 5),
            (_, [var only], _) => ($"one thread at 100% of a processor ({only.Name})", 4),
            (_, { Length: > 1 }, _) => ($"{spinners.Length} threads at 100% of a processor", 3),
            (_, _, > 0) => ($"{inKernel} of {now.Threads.Count} threads in a call of the kernel that nothing can break off", 3),
            _ when isQuiet && isAsleep => ($"no CPU and no I/O{Asleep(now.Threads.Count)}{workers}", workers.AreAllBlocked ? 3 : 2),
            _ when isQuiet => ($"no CPU and no I/O{workers}", workers.AreAllBlocked ? 3 : 1),
            _ => ("works", 0),
        };
        return new ProcessLook(now, signs, now.IsDotNet == true ? rank + 10 : rank, share);
    }

    private static string Asleep(int threads) => threads == 1 ? "; its thread sleeps" : $"; all {threads} threads sleep";
}
