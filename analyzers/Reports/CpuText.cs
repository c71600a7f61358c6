using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>Writes processor time.</summary>
internal static class CpuText
{
    /// <summary>"2 h 14 min"; "?" where the time is not known.</summary>
    public static string Of(Known<CpuTime> cpu) => cpu.TryGet(out CpuTime? time) ? Durations.Of(time.Total()) : "?";

    /// <summary>"1.5 s (user 290 ms, kernel 1.21 s)"; null where it is not known.</summary>
    public static string? Detail(Known<CpuTime> cpu)
        => cpu.TryGet(out CpuTime? time) ? $"{Durations.Of(time.Total())} (user {Durations.Of(time.User)}, kernel {Durations.Of(time.Kernel)})" : null;

    /// <summary>The same where it is worth a reader's time: a few milliseconds say nothing of why a process hangs.</summary>
    public static string? Noteworthy(Known<CpuTime> cpu) => cpu.Is(used => used.Total().TotalMilliseconds >= 100) ? Detail(cpu) : null;
}
