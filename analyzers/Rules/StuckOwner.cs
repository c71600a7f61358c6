using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>Tells why the thread at the end of a chain of waits may never get on, as far as that is known.</summary>
internal static class StuckOwner
{
    // Threads that take turns on a lock are seldom more than a few at a time.
    private const int Crowd = 4;

    /// <summary>Null for a thread that gets on.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="last">The end of the chain: from a lock or a thread to the one that has to get on.</param>
    public static string? Why(RuleContext context, WaitEdge last)
    {
        ThreadId owner = last.To.Thread!.Value;
        string label = Parties.Label(context, owner);
        return context.Find(owner) switch
        {
            null => $"the owner, {label}",
            { State: ThreadActivity.WaitsForObject or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply or ThreadActivity.WaitsForLoader or ThreadActivity.WaitsForLock } waiting =>
                $"the owner, {label}, waits itself{Where(waiting.Thread)}, {For(context, waiting.Thread)}",
            { State: ThreadActivity.WaitsForIo } waiting when IsHeldOn(context, last) && Timeouts.InCallOf(waiting.Thread) != true =>
                $"the owner, {label}, waits for input or output{Where(waiting.Thread)}, and when that comes is not known",
            { State: ThreadActivity.Yielding } => $"the owner, {label}, is in a yield, and whether it goes on is not known",
            { State: ThreadActivity.Unknown } => $"what the owner, {label}, does cannot be told",
            { State: ThreadActivity.Sleeping } sleeper when Timeouts.InCallOf(sleeper.Thread) == false => $"the owner, {label}, sleeps without end",
            { } busy => WhyCrowded(context, busy, last),
        };
    }

    /// <summary>The same for a thread that waits for a task: a crowd stands behind it, and the task needs input that may not come.</summary>
    public static string? WhyOnTask(RuleContext context, Address task, WaitNode waiter)
        => context.FindTask(task)?.Needs.Any(need => need.Kind == TaskNeedKind.Io) == true && Crowding(context, waiter) is { } crowd
            ? string.Create(CultureInfo.InvariantCulture, $"an operation of the system has to end for {Parties.Label(context, task)}, which {Parties.Label(context, waiter.Thread!.Value)} waits for while {crowd} threads wait behind it, and for how long it has is not in the input")
            : null;

    private static string For(RuleContext context, ThreadFacts owner)
        => AwaitedText.Of(context, owner.OsId) is { } what ? $"for {what}; who ends that is recorded nowhere" : "for something that cannot be followed";

    /// <summary>As " in System.Diagnostics.Process.WaitForExit (App.Build)": the method of .NET that the program called, and where.</summary>
    private static string Where(ThreadFacts thread)
    {
        string? call = thread.Stack.Frames.Any(UserCode.IsManaged)
            ? thread.Stack.Frames.TakeWhile(frame => !UserCode.IsManaged(frame)).LastOrDefault(frame => frame.Kind == FrameKind.Managed)?.Method
            : null;
        return (call is null ? string.Empty : $" in {call}") + (WaitText.Of(thread) is { } place ? $" ({place})" : string.Empty);
    }

    // Not where one of those who wait was just told to try: then the lock was given back a moment ago.
    private static bool IsHeldOn(RuleContext context, WaitEdge held) => held.From.Lock is not { } id || context.Find(id)?.HasWokenWaiter != true;

    private static int? Crowding(RuleContext context, WaitNode owner)
        => context.Graph.ThreadsBehind(owner).Count is >= Crowd and int count ? count : null;

    // A crowd behind an owner that computes or sleeps is a hang or a busy moment; the owner's processor time, or the length of
    // its sleep, would tell which. For a SpinLock nobody stands in a queue.
    private static string? WhyCrowded(RuleContext context, ThreadAssessment owner, WaitEdge held)
    {
        string? does = owner switch
        {
            { State: ThreadActivity.Running, Thread.Cpu.Gap: not null } => "computes",
            { State: ThreadActivity.Sleeping } when !Rest.SleepEnds(owner.Thread) => $"sleeps{Where(owner.Thread)}",
            _ => null,
        };
        return does is not null && held.From.Lock is { Kind: not LockKind.SpinLock } && IsHeldOn(context, held) && Crowding(context, held.To) is { } count
            ? string.Create(CultureInfo.InvariantCulture, $"the owner, {Parties.Label(context, owner.Thread.OsId)}, {does} while {count} threads wait, and for how long it has is not in the input")
            : null;
    }
}
