using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

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
            .TakeWhile(frame => SystemLayers.Contain(frame) || ManagedCalls.StateOf(frame) is not null)
            .LastOrDefault(frame => frame.Method is not null)?.Method ?? systemCall;

    /// <summary>What the thread was caught in: "SwitchToThread", "a loop that pauses".</summary>
    public static string Caught(SpinSignals signals)
        => signals.Yield is { Method: { } method } ? Call(signals, method)
            : signals.Yield is not null ? "a yield"
            : "a loop that pauses";

    /// <summary>As " in a loop of 9 instructions (0x7ff612341000-0x7ff61234101f)"; empty where no loop is known.</summary>
    public static string Loop(SpinSignals signals)
        => signals.Code is { } loop
            ? string.Create(CultureInfo.InvariantCulture, $" in a loop of {loop.InstructionCount} instruction{(loop.InstructionCount == 1 ? string.Empty : "s")} ({loop.Start}-{loop.End})")
            : string.Empty;

    /// <summary>Why the thread is held for one that spins, and how sure that is.</summary>
    public static string Reason(SpinSignals signals)
    {
        string caught = signals.Yield is null ? "its loop pauses" : "it was caught in a yield";
        string round = signals.Code is null || signals.Yield is null ? string.Empty : ", its code goes round that call";
        return (signals.Spins, signals.IsBusy, signals.Progress) switch
        {
            (true, true, { IsSameLoop: true } progress) =>
                $"the signs agree: {caught}{round}, and it was there {Duration(progress.Between)} earlier and has burned {Duration(progress.Cpu!.Value)} of CPU since",
            (true, true, { IsSamePlace: true } progress) => $"the signs agree: {caught}{round}, and it was there {Duration(progress.Between)} earlier too",
            (true, true, { }) => $"two signs agree: {caught}{round}, and it has burned CPU since the earlier capture; then it was elsewhere",
            (true, true, null) =>
                $"{(round.Length > 0 ? "three" : "two")} signs agree: {caught}{round}, and it has been busy for much of its life; one capture cannot show that the loop goes on",
            (true, false, _) => $"{caught}{round}; its CPU time is a small part of its life, so that it can only have begun lately",
            (true, null, _) => $"{caught}{round}; its CPU time, which would confirm it, is not in the input",
            _ => "the owner is caught in a yield, but its CPU time is not in the input",
        };
    }

    /// <summary>Signs that could not be looked for.</summary>
    public static IReadOnlyList<Gap> Gaps(SpinSignals signals)
        => [.. new[] { signals.Cpu.Gap, signals.Thread.Loop?.Gap }.OfType<Gap>()];

    /// <summary>What speaks against a spin: an earlier capture that shows the thread elsewhere.</summary>
    public static IEnumerable<Evidence> Contradictions(SpinSignals signals, string label)
        => signals.Progress is { IsSamePlace: false } progress
            ? [new Evidence($"{label} was elsewhere {Duration(progress.Between)} earlier", "earlier capture", Trust.Derived) { Thread = signals.Thread.OsId }]
            : [];

    /// <summary>On which occasion the loader runs the thread's code; null where it does not.</summary>
    public static string? LoaderDuty(ThreadFacts thread)
        => thread.Stack.Frames
            .Where(NativeCalls.EntersLoader)
            .Select(frame => s_duties.FirstOrDefault(duty => duty.Function == frame.Method).Duty)
            .FirstOrDefault(duty => duty is not null);

    /// <summary>The signs that the thread spins or computes, one piece of evidence each.</summary>
    public static IEnumerable<Evidence> Evidence(SpinSignals signals, string label)
    {
        if (signals.Yield is { } yield)
        {
            string from = signals.Site is { } frame ? $", called from {FrameText.Of(frame)}" : string.Empty;
            yield return new Evidence($"{label} is in {Caught(signals)}{from}", "stack", yield.Trust)
            {
                Thread = signals.Thread.OsId,
                Frame = FrameText.Of(yield),
                Address = yield.Ip,
            };
        }

        if (signals.Code is { } loop)
        {
            string pause = loop.HasPause ? ", which pauses" : string.Empty;
            yield return new Evidence($"{label} is{Loop(signals)}{pause}", "machine code", signals.Thread.Loop!.Trust)
            {
                Thread = signals.Thread.OsId,
                Frame = FrameText.Of(signals.Thread.Stack.Frames[loop.FrameIndex]),
                Address = loop.Start,
            };
        }

        if (signals.Progress is { IsSamePlace: true, Cpu: { } since } progress)
        {
            yield return new Evidence(
                $"{label} was {(signals.Code is null ? "at the same place" : "in the same loop")} {Duration(progress.Between)} earlier, and has used {Duration(since)} of CPU since",
                "earlier capture",
                Trust.Derived) { Thread = signals.Thread.OsId };
        }

        if (signals.Cpu.TryGet(out CpuShare? cpu))
        {
            string life = cpu.Life.TryGet(out TimeSpan span) && cpu.Share is { } share
                ? string.Create(CultureInfo.InvariantCulture, $" in the {Duration(span)} since it started ({(share < 1 ? share.ToString("P0", CultureInfo.InvariantCulture) : "all")} of one core)")
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
