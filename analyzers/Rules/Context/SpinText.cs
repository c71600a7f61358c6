using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Puts a spinning thread into words.</summary>
internal static class SpinText
{
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

    /// <summary>As " in app!wait+0x14"; empty where every frame is the system's.</summary>
    public static Claim Site(SpinSignals signals) => signals.Site is { } site ? $" in {Claim.Of(site)}" : Claim.Empty;

    /// <summary>As " in a loop of app!count+0x14", for a title; where no loop is known, as <see cref="Site"/>.</summary>
    public static Claim Place(SpinSignals signals)
        => (signals.Code, signals.Site) switch
        {
            ({ }, { } site) => $" in a loop of {Claim.Of(site)}",
            ({ }, null) => " in a loop",
            _ => Site(signals),
        };

    /// <summary>As " and has burned 2 h 14 min of CPU"; empty where that is not known.</summary>
    public static Claim Burned(SpinSignals signals)
        => signals.Cpu.TryGet(out CpuShare? share) ? $" and has burned {Durations.Of(share.Time.Total())} of CPU" : Claim.Empty;

    /// <summary>As ", in a loop of 9 instructions (0x7ff612341000-0x7ff61234101f)"; empty where no loop is known.</summary>
    public static Claim Loop(SpinSignals signals)
        => signals.Code is { } loop ? $", in a loop of {Count.Of(loop.InstructionCount, "instruction")} ({loop.Start}-{loop.End})" : Claim.Empty;

    /// <summary>Signs that could not be looked for.</summary>
    public static IReadOnlyList<Gap> Gaps(SpinSignals signals)
        => [.. new[] { signals.Cpu.Gap, signals.Thread.Loop?.Gap }.OfType<Gap>()];

    /// <summary>What speaks against a spin: an earlier capture that shows the thread elsewhere.</summary>
    public static IEnumerable<Evidence> Contradictions(SpinSignals signals, Claim label)
        => signals.History is { IsSamePlace: false } history
            ? [new Evidence($"{label} was elsewhere {EarlierText.At(history)}", "earlier capture", Trust.Derived) { Thread = signals.Thread.OsId }]
            : [];

    /// <summary>On which occasion the loader runs the thread's code, the innermost; null where it does not.</summary>
    public static string? LoaderDuty(ThreadFacts thread)
        => thread.Stack.Frames
            .Select(frame => LoaderCalls.Find(frame)?.Title)
            .FirstOrDefault(duty => duty is not null);

    /// <summary>The signs that the thread spins or computes, one piece of evidence each.</summary>
    public static IEnumerable<Evidence> Evidence(SpinSignals signals, Claim label)
    {
        if (signals.Yield is { } yield)
        {
            Claim from = signals.Site is { } frame ? $", called from {Claim.Of(frame)}" : Claim.Empty;
            yield return new Evidence($"{label} is in {Caught(signals)}{from}", "stack", yield.Trust)
            {
                Thread = signals.Thread.OsId,
                Frame = Claim.Of(yield),
                Address = yield.Ip,
            };
        }

        if (signals.Code is { } loop)
        {
            string pause = loop.HasPause ? ", which pauses" : string.Empty;
            yield return new Evidence($"{label} is {Loop(signals).Text[2..]}{pause}", "machine code", signals.Thread.Loop!.Trust)
            {
                Thread = signals.Thread.OsId,
                Frame = Claim.Of(signals.Thread.Stack.Frames[loop.FrameIndex]),
                Address = loop.Start,
            };
        }

        if (signals.History is { IsSamePlace: true } history)
        {
            string used = history.Cpu is { } since ? $", and has used {Durations.Of(since)} of CPU since" : string.Empty;
            yield return new Evidence(
                $"{label} was {(signals.Code is null ? "at the same place" : "in the same loop")} {EarlierText.At(history)}{used}",
                "earlier capture",
                Trust.Derived) { Thread = signals.Thread.OsId };
        }

        if (signals.Cpu.TryGet(out CpuShare? cpu))
        {
            string life = cpu.Life.TryGet(out TimeSpan span) && cpu.Share is { } share ? Life(span, share) : string.Empty;
            yield return new Evidence(
                $"{label} has used {Durations.Of(cpu.Time.Total())} of CPU{life}: {Seconds(cpu.Time.User)} s user, {Seconds(cpu.Time.Kernel)} s kernel",
                "thread times",
                signals.Cpu.Trust) { Thread = signals.Thread.OsId };
        }
    }

    // The clocks of a system differ by some of its ticks.
    private static string Life(TimeSpan span, double share)
        => share <= 1
            ? $" in the {Durations.Of(span)} since it started ({share.ToString("P0", CultureInfo.InvariantCulture)} of one core)"
            : $" (its recorded lifetime is {Durations.Of(span)}: the share is not reliable)";

    private static string Seconds(TimeSpan span) => span.TotalSeconds.ToString("#,0.###", CultureInfo.InvariantCulture);
}
