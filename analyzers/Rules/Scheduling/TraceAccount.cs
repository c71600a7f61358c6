using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Scheduling;

/// <summary>What a trace alone explains of a process's threads, and what it leaves open.</summary>
internal static class TraceAccount
{
    private const string NeedsDump = "it needs a dump: a trace has no stacks, locks or objects";

    /// <summary>What forbids a verdict of health.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="found">Threads that a finding names.</param>
    public static IReadOnlyList<Gap> Open(RuleContext context, IReadOnlySet<ThreadId> found)
    {
        TraceFacts trace = context.Trace!.Facts;
        if (trace.Switches.Gap is { } none)
        {
            return [none];
        }

        if (context.Threads.Count == 0)
        {
            return HasEnded(context) ? [] : [new Gap("threads", "the trace has none of this process")];
        }

        ThreadId[] open =
        [
            .. context.Threads.Select(thread => thread.Thread.OsId)
                .Where(id => !found.Contains(id) && !Turns.AreRegular(context.Traced.Of(id))),
        ];
        ThreadId[] run = [.. open.Where(id => context.Traced.Of(id) is { } thread && Runs(thread))];
        ThreadId[] wait = [.. open.Except(run)];
        return
        [
            .. wait.Length > 0 ? [new Gap($"what {Who(context, wait)} {(wait.Length == 1 ? "waits" : "wait")} for", NeedsDump)]
                : Array.Empty<Gap>(),
            .. run.Length > 0
                ? [new Gap(
                    $"whether what {Who(context, run)} {(run.Length == 1 ? "computes" : "compute")} ends",
                    "it ran nearly all the time, and a trace does not show what for")]
                : Array.Empty<Gap>(),
            .. trace.Length < Thresholds.TraceForHealth
                ? [new Gap(
                    "whether what came keeps coming",
                    $"the trace has {Durations.Of(trace.Length)}; it takes {Durations.Of(Thresholds.TraceForHealth)} to see what is regular")]
                : Array.Empty<Gap>(),
        ];
    }

    public static IEnumerable<Evidence> Healthy(RuleContext context)
        => context.Traced.Of(context.Threads)
            .Select(thread => Turns.Why(thread) is { } why ? AloneText.Of(thread, $"{Parties.Label(context, thread.OsId)} {why}") : null)
            .OfType<Evidence>()
            .Take(Thresholds.EvidenceOfTurns);

    public static string Title(RuleContext context)
        => context.Threads.Count == 0 ? "No hang found: the process ended within the trace"
            : $"No hang found: {Count.Of(context.Threads.Count, "thread")} of the process ran, or waited for what came regularly";

    private static bool HasEnded(RuleContext context)
        => context.Trace!.Facts.Processes.Any(process => context.Snapshot.Target.Pid.Is(pid => pid == process.Pid)
            && process.Ended.HasValue);

    private static string Who(RuleContext context, ThreadId[] threads)
        => threads.Length == 1 ? Parties.Label(context, threads[0]).Text
            : $"{threads.Length} of {Count.Of(context.Threads.Count, "thread")}";

    private static bool Runs(TraceThread thread)
        => thread.Times.TryGet(out TraceTimes? times) && times.Running >= (thread.To - thread.From) * Thresholds.RanAllTheWhile;
}
