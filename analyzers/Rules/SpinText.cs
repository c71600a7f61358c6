using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>Puts a spinning thread into words.</summary>
internal static class SpinText
{
    // The innermost of these on the stack says on which occasion the loader called into a library.
    private static readonly (string Function, string Duty)[] s_duties =
    [
        ("LdrShutdownThread", "thread detach"),
        ("LdrShutdownProcess", "process detach"),
        ("LdrUnloadDll", "the unloading of a library"),
        ("LdrLoadDll", "the loading of a library"),
        ("LdrInitializeThunk", "thread attach"),
    ];

    /// <summary>The public name of the call that yields: SwitchToThread above NtYieldExecution.</summary>
    public static string Call(SpinSignals signals, string systemCall)
        => signals.Thread.Stack.Frames
            .SkipWhile(frame => frame != signals.Yield)
            .TakeWhile(frame => NativeCalls.IsSystemLayer(frame) || ManagedCalls.StateOf(frame) is not null)
            .LastOrDefault(frame => frame.Method is not null)?.Method ?? systemCall;

    /// <summary>On which occasion the loader runs the thread's code; null where it does not.</summary>
    public static string? LoaderDuty(ThreadFacts thread)
        => thread.Stack.Frames
            .Where(NativeCalls.EntersLoader)
            .Select(frame => s_duties.FirstOrDefault(duty => duty.Function == frame.Method).Duty)
            .FirstOrDefault(duty => duty is not null);

    /// <summary>The signs that the thread spins, one piece of evidence each.</summary>
    public static IEnumerable<Evidence> Evidence(SpinSignals signals, string label)
    {
        if (signals.Yield is { } yield)
        {
            string loop = signals.Loop is { } frame ? $", called from {FrameText.Of(frame)}" : string.Empty;
            yield return new Evidence($"{label} is in {Call(signals, yield.Method!)}{loop}", "stack", yield.Trust)
            {
                Thread = signals.Thread.OsId,
                Frame = FrameText.Of(yield),
                Address = yield.Ip,
            };
        }

        if (signals.Cpu.TryGet(out CpuShare? cpu))
        {
            string life = cpu.Life.TryGet(out TimeSpan span) && cpu.Share is { } share
                ? string.Create(CultureInfo.InvariantCulture, $" in the {Duration(span)} since it started ({share:P0} of one core)")
                : string.Empty;
            yield return new Evidence(
                $"{label} has used {Duration(cpu.Time.Total())} of CPU{life}: {Seconds(cpu.Time.User)} s user, {Seconds(cpu.Time.Kernel)} s kernel",
                "thread times",
                signals.Cpu.Trust)
            {
                Thread = signals.Thread.OsId,
            };
        }
    }

    /// <summary>As "2h 14m 28.671s": hours and minutes only where there are any.</summary>
    public static string Duration(TimeSpan span)
    {
        string seconds = string.Create(CultureInfo.InvariantCulture, $"{(span.Ticks % TimeSpan.TicksPerMinute) / (double)TimeSpan.TicksPerSecond:0.###}s");
        long hours = (long)span.TotalHours;
        return hours > 0 ? string.Create(CultureInfo.InvariantCulture, $"{hours}h {span.Minutes}m {seconds}")
            : span.Minutes > 0 ? string.Create(CultureInfo.InvariantCulture, $"{span.Minutes}m {seconds}")
            : seconds;
    }

    private static string Seconds(TimeSpan span) => span.TotalSeconds.ToString("#,0.###", CultureInfo.InvariantCulture);
}
