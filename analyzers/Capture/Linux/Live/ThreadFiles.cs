using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Reads what the kernel says of a process's threads. Nothing is stopped for it.</summary>
internal static class ThreadFiles
{
    private static readonly char[] s_spaces = [' ', '\t', '\n'];

    /// <param name="process">Its id.</param>
    /// <param name="thread">The thread's, where this tool runs.</param>
    /// <param name="boot">When the system started; null where that is not known.</param>
    /// <returns>Null where the thread has ended.</returns>
    public static KernelThread? Read(int process, int thread, DateTimeOffset? boot)
    {
        string folder = string.Create(CultureInfo.InvariantCulture, $"/proc/{process}/task/{thread}/");
        if (StatFields.Read(folder + "stat") is not { } stat)
        {
            return null;
        }

        string? status = ProcFile.Text(folder + "status");
        string? scheduler = ProcFile.Text(folder + "schedstat");
        return new KernelThread(stat.Name,
            new KernelThreadFacts(StateOf(stat.State), Switches(status), WaitChannel(folder)) { Ready = ReadyOf(scheduler) })
        {
            Cpu = CpuOf(stat, scheduler),
            StartedAt = boot is { } start ? Known.Derived(start + stat.Started) : Known.Unknown<DateTimeOffset>("start time of the thread", "the system does not say when it started"),
        };
    }

    /// <summary>
    /// The time to the nanosecond, in the shares of user and kernel that the ticks of 10 ms show; the ticks alone where the
    /// kernel keeps no more (schedstat: nanoseconds on a processor, waiting for one, and how often).
    /// </summary>
    public static CpuTime CpuOf(StatFields stat, string? scheduler)
    {
        TimeSpan ticks = stat.User + stat.Kernel;
        if (scheduler?.Split(s_spaces, StringSplitOptions.RemoveEmptyEntries) is not [{ } first, ..]
            || !long.TryParse(first, NumberStyles.None, CultureInfo.InvariantCulture, out long nanoseconds))
        {
            return new CpuTime(stat.User, stat.Kernel);
        }

        TimeSpan total = TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick);
        TimeSpan kernel = ticks == TimeSpan.Zero ? TimeSpan.Zero : total * (stat.Kernel / ticks);
        return new CpuTime(total - kernel, kernel);
    }

    /// <summary>
    /// For how long it was ready and waited for a processor, of the same file; null where the kernel keeps no such account.
    /// </summary>
    public static TimeSpan? ReadyOf(string? scheduler)
        => scheduler?.Split(s_spaces, StringSplitOptions.RemoveEmptyEntries) is [_, { } second, ..]
            && long.TryParse(second, NumberStyles.None, CultureInfo.InvariantCulture, out long nanoseconds)
                ? TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick)
                : null;

    /// <summary>The id that the thread has in its own container (the last of NSpid); its id here where the kernel does not say.</summary>
    public static uint InnerId(string? status, int thread)
        => ProcFile.Value(status, "NSpid")?.Split(s_spaces, StringSplitOptions.RemoveEmptyEntries) is [.., { } last]
            && uint.TryParse(last, NumberStyles.None, CultureInfo.InvariantCulture, out uint id) ? id : (uint)thread;

    public static KernelThreadState StateOf(char state) => state switch
    {
        'R' => KernelThreadState.Running,
        'S' or 'I' => KernelThreadState.Sleeping,
        'D' => KernelThreadState.Uninterruptible,
        'T' => KernelThreadState.Stopped,
        't' => KernelThreadState.Traced,
        'Z' or 'X' or 'x' => KernelThreadState.Ended,
        _ => KernelThreadState.Unknown,
    };

    private static Known<long> Switches(string? status)
        => Number(ProcFile.Value(status, "voluntary_ctxt_switches")) is { } voluntary && Number(ProcFile.Value(status, "nonvoluntary_ctxt_switches")) is { } forced
            ? Known.Read(voluntary + forced)
            : Known.Unknown<long>("context switches", "the kernel does not say");

    private static Known<string> WaitChannel(string folder)
        => ProcFile.Text(folder + "wchan") is not { } name ? Known.Unknown<string>("wait channel", "this user may not know it")
            : Known.Read(name.Trim() is "0" ? string.Empty : SafeText.Clean(name.Trim()));

    private static long? Number(string? text) => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value) ? value : null;
}
