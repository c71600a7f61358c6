using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Work;

/// <summary>Puts a thread at work into words.</summary>
internal static class WorkText
{
    private const string EndsWithNothingLeft = "the loop ends only where nothing is left to follow";
    private const string OneCapture = "one capture cannot show whether that ends";

    private static readonly Claim[] s_lookAgain =
    [
        "Look several times (triage attach, or a second core with --earlier): "
            + "whether anything changes in between tells work from a loop without end.",
    ];

    /// <param name="context">The facts.</param>
    /// <param name="worker">The thread.</param>
    /// <param name="count">How many are at work in the same method.</param>
    public static Claim Title(RuleContext context, Worker worker, int count)
    {
        Claim label = Parties.Label(context, worker.Id);
        Claim who = count > 1 ? (Claim)$"{label} (and {Count.More(count - 1)})" : label;
        Claim does = Does(worker);
        Claim tail = worker.Signs == Sign.None && worker.Circle is null
            ? $"; {(context.Case.Samples.Count == 1 ? OneCapture : "whether that ends is not seen")}"
            : Claim.Empty;
        return Waiting(context, worker) is { } waiting ? (Claim)$"{waiting} {who}, which {does}{tail}"
            : worker.IsMain ? (Claim)$"Main {does}{tail}"
            : worker.FlowBehind is { } flow ? (Claim)$"{FlowText.Of(flow)}, and {who}, which is to end that, {does}{tail}"
            : worker.FlowInHand is { } asked ? (Claim)$"{FlowText.Of(asked)}, and {who}, which has that in hand, {does}{tail}"
            : worker.FlowLedTo is { } led ? (Claim)$"{FlowText.Of(led)}, and {who}, which alone leads to that, {does}{tail}"
            : worker.SignalsBehind is { Count: > 0 } behind ? (Claim)$"{who} {does}, and {Signals(context, behind)}{tail}"
            : (Claim)$"{who} {does}, and nobody is seen to wait for it{tail}";
    }

    private static Claim Signals(RuleContext context, IReadOnlyList<WaitFacts> behind)
        => $"{Count.Waiting(behind.Count)} for what nobody else leads to, as {Parties.Of(context, WaitNode.Of(behind[0].Lock))}";

    /// <summary>As "computes in a loop of Ticks.Until (Shop/Ticks.cs:31)".</summary>
    public static Claim Does(Worker worker)
        => worker switch
        {
            { Circle: { } circle } => $"walks {Count.Of(circle.Length, "object")} of {MethodText.Type(circle.Type)} in a circle ({PollText.Field(circle.Field)}) in {Place(worker)}",
            { Signs: Sign.StaysInCall } => $"has been in the same call of {Place(worker)} {Lasting(worker)}",
            { IsThrowing: true } => $"throws and tries again in a loop of {Place(worker)}, with nothing changed {Lasting(worker)}",
            { Repeat: not null } => $"goes round a loop of {Place(worker)} that has no end",
            { Signs: Sign.RoundUnchanged } => $"goes round a loop of {Place(worker)} with nothing changed {Lasting(worker)}",
            _ => $"computes in {(worker.Loop is null ? string.Empty : "a loop of ")}{Place(worker)}",
        };

    public static IEnumerable<Evidence> Evidence(RuleContext context, Worker worker)
    {
        Claim label = Parties.Label(context, worker.Id);
        yield return new Evidence($"{label} was caught at work in {Place(worker)}{Call(worker)}", "stack", Trust.Derived)
        {
            Thread = worker.Id,
            Frame = Claim.Of(worker.Frame),
        };
        if (worker.Circle is { } circle)
        {
            string through = circle.Through is { } list ? $", by way of a {MethodText.Type(list)}" : string.Empty;
            yield return new Evidence(
                $"{PollText.Field(circle.Field)} leads from {Count.Of(circle.Length, "object")} of {MethodText.Type(circle.Type)} back to the first{through}, and {EndsWithNothingLeft}",
                "objects of the frame, instructions of the loop", Trust.Derived)
            {
                Thread = worker.Id,
                Address = circle.Start,
            };
        }

        foreach (Evidence evidence in OfLoop(worker))
        {
            yield return evidence;
        }

        if (worker.History is { } history)
        {
            string what = history.Stay switch
            {
                WorkStay.SameCall => "in the same call, and nothing that the program's frames work with has changed",
                WorkStay.SameRound => "in the same loop, with the same values in its registers, frames and objects",
                WorkStay.Throws => "in the same loop, in an exception that it throws, and nothing else has changed",
                _ => "below the same method, and what it works with has changed, or that could not be read",
            };
            yield return new Evidence(
                $"{label} was at work {EarlierText.At(history.Between)} too{EarlierText.Times(history.Samples)}: {what}",
                "earlier capture", Trust.Derived) { Thread = worker.Id };
        }

        if (worker.Cpu.TryGet(out CpuShare? cpu))
        {
            yield return new Evidence($"{label} has used {Durations.Of(cpu.Time.Total())} of CPU", "thread times",
                worker.Cpu.Trust) { Thread = worker.Id };
        }
    }

    public static IReadOnlyList<Claim> Advice(RuleContext context, Worker worker)
        => worker switch
        {
            { Circle: { } circle } =>
            [
                $"Find out what makes {PollText.Field(circle.Field)} lead back; refuse it where it is set.",
                "Keep a set of what was visited, or count the steps and stop.",
            ],
            { IsThrowing: true } =>
            [
                $"Look at the exception that is caught in {MethodText.Short(worker.Method)}: trying again does not change what makes it.",
                "Give up after some tries.",
            ],
            { Signs: not Sign.None } =>
            [
                $"Look at what {MethodText.Short(worker.Method)} was given: with other input it would have ended.",
                "Give the work a limit of time (a cancellation token, a timeout of the regular expression).",
            ],
            _ =>
            [
                $"Look at what ends the loop in {MethodText.Short(worker.Method)}, if this work should have ended.",
                .. context.Case.Samples.Count > 1 ? [] : s_lookAgain,
            ],
        };

    private static IEnumerable<Evidence> OfLoop(Worker worker)
    {
        if (worker.Repeat is { } repeat)
        {
            yield return new Evidence(string.Create(CultureInfo.InvariantCulture,
                $"run on from the capture in a copy of the memory, its code came back to where it was with the same values "
                + $"{Count.Of(repeat.Instructions, "instruction")} later, and no other code sets what decides that"),
                "instructions of the loop, registers and memory", Trust.Derived)
            {
                Thread = worker.Id,
            };
        }

        if (worker.Loop is { } loop)
        {
            string line = loop.Source is { } source ? $" at {source}" : string.Empty;
            string ends = loop.EndsBy.Count > 0
                ? $"whether it ends depends on {string.Join(", ", loop.EndsBy.Select(PollText.Field))}"
                : "whether it ends depends on its own variables";
            yield return new Evidence(string.Create(CultureInfo.InvariantCulture,
                $"it is in the loop{line} (IL {loop.Start:x4}-{loop.End:x4}); {ends}"
                + $"{(loop.Allocates ? "; it makes objects in each round" : string.Empty)}"),
                "instructions of the loop", Trust.Derived)
            {
                Thread = worker.Id,
            };
        }
    }

    private static string Place(Worker worker)
        => $"{MethodText.Short(worker.Method)}{((worker.Frame.Source ?? worker.Loop?.Source) is { } line ? $" ({line})" : string.Empty)}";

    // What of .NET's the method has called.
    private static string Call(Worker worker)
        => worker.Thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) == worker.Frame && WaitPlace.Call(worker.Thread) is { } call
            ? $", in {call}"
            : string.Empty;

    private static string Lasting(Worker worker)
        => worker.History is { } history && history.Between.TryGet(out TimeSpan between) ? $"for {Durations.Of(between)}"
            : string.Create(CultureInfo.InvariantCulture, $"in {worker.History?.Samples ?? 1} captures");

    // As "Main and 2 more threads wait for"; null where nobody does.
    private static Claim? Waiting(RuleContext context, Worker worker)
    {
        if (worker.Waiters.Count == 0)
        {
            return null;
        }

        WaitNode first = worker.Chain is [{ From: var from }, ..] ? from : worker.Waiters[0];
        Claim name = first.Thread is { } thread && context.Find(thread) is { } found && UserCode.IsUnderMain(found.Thread.Stack.Frames)
            ? (Claim)"Main"
            : $"{Parties.Of(context, first)}";
        int more = worker.Waiters.Count - 1;
        return more > 0 ? (Claim)$"{name} and {Count.More(more)} wait for" : $"{name} waits for";
    }
}
