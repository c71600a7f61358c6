using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Tells a circle of threads and locks by their names.</summary>
internal static class CircleText
{
    private const int MostNamed = 4;

    // What a title may have, for those behind the circle too.
    private const int LongestPair = 200;

    /// <summary>Null where names would say too much: of a circle of tasks alone, and of one thread.</summary>
    /// <param name="context">The facts.</param>
    /// <param name="round">Once around, from a thread.</param>
    public static Claim? Of(RuleContext context, IReadOnlyList<WaitEdge> round)
    {
        if (round.All(edge => edge.From.Task is not null))
        {
            return Awaits([.. round.Select(edge => AsyncMethod(context.FindTask(edge.From.Task!.Value)))]);
        }

        if (round.Any(edge => edge.From.Task is not null || edge.Kind == EdgeKind.CompletedBy))
        {
            return round.Where(edge => edge.From.Thread is not null).ToArray() is not [WaitEdge one, WaitEdge other] ? null
                : Both(context, one, other) ?? $"{Thread(context, one.From.Thread!.Value)}{Place(context, one)} and {Thread(context, other.From.Thread!.Value)}{Place(context, other)} wait for each other";
        }

        if (round.Count < 4 || round.Count % 2 != 0
            || round.Where((edge, index) => index % 2 == 0 ? edge.From.Thread is null || edge.To.Lock is null : edge.Kind is not (EdgeKind.HeldBy or EdgeKind.ReadHeldBy)).Any())
        {
            return Mixed(context, [.. round.Where(edge => edge.From.Thread is not null)]);
        }

        ThreadId[] threads = [.. round.Where((_, index) => index % 2 == 0).Select(edge => edge.From.Thread!.Value)];
        return threads.Length != 2 ? Several(context, threads)
            : Pair(context, round) is var pair && pair.Text.Length <= LongestPair ? pair
            : Each(context, round);
    }

    private static string? AsyncMethod(TaskFacts? task)
        => task is { Kind: TaskKind.AsyncMethod, Method: { } method } ? MethodText.Short(method) : null;

    // RateBook.GetAsync and RateBook.LoadAsync await each other
    private static Claim? Awaits(string?[] methods)
        => methods.Contains(null) || methods.Length > MostNamed ? null
            : methods.Distinct().ToArray() is not [.., var last] named ? null
            : named.Length == 1 ? (Claim)$"{methods.Length} calls of {last} await each other"
            : $"{string.Join(", ", named[..^1])} and {last} await each other";

    // Thread 2 "transfer" and thread 3 "audit" each hold the lock that the other waits for: critical section ... and critical section ...
    private static Claim Each(RuleContext context, IReadOnlyList<WaitEdge> round)
        => $"{Thread(context, round[0].From.Thread!.Value)} and {Thread(context, round[2].From.Thread!.Value)} each hold the lock that the other waits for: {Name(context, round[2].To.Lock!)} and {Name(context, round[0].To.Lock!)}";

    // Null where it says too much for a title.
    private static Claim? Both(RuleContext context, WaitEdge one, WaitEdge other)
        => (Claim)$"{Waits(context, one)}, {Waits(context, other)}; each needs the other" is var both && both.Text.Length <= LongestPair ? both : null;

    // Some wait for locks, others for a thread's end.
    private static Claim? Mixed(RuleContext context, WaitEdge[] waits)
        => waits.Length < 2 ? null
            : waits.Length == 2 && Both(context, waits[0], waits[1]) is { } both ? both
            : $"{waits.Length} threads wait for each other in a circle: {Named(context, [.. waits.Select(wait => wait.From.Thread!.Value)])}";

    // Thread 3 "billing" holds monitor OrderBook.gate and waits for monitor Ledger.gate; thread 4 "audit" holds ...
    private static Claim Pair(RuleContext context, IReadOnlyList<WaitEdge> round)
    {
        (LockId first, LockId second) = (round[0].To.Lock!, round[2].To.Lock!);
        bool areNamed = Name(context, first) != Name(context, second);
        (Claim one, Claim other) = areNamed ? (Name(context, first), Name(context, second)) : (Parties.Label(context, first), Parties.Label(context, second));
        return $"{Thread(context, round[0].From.Thread!.Value)} holds {other} and waits for {one}; {Thread(context, round[2].From.Thread!.Value)} holds {one} and waits for {other}";
    }

    // 3 threads wait in a circle, each for a lock that the next one holds: thread 7 "order-intake", ...
    private static Claim Several(RuleContext context, ThreadId[] threads)
        => $"{threads.Length} threads wait in a circle, each for a lock that the next one holds: {Named(context, threads)}";

    private static Claim Named(RuleContext context, ThreadId[] threads)
    {
        string more = threads.Length > MostNamed ? string.Create(CultureInfo.InvariantCulture, $" and {threads.Length - MostNamed} more") : string.Empty;
        return $"{Claim.Join(", ", threads.Take(MostNamed).Select(id => Thread(context, id)))}{more}";
    }

    // Thread 3 "view" waits in OrderBook.Count for monitor OrderBook.gate
    private static Claim Waits(RuleContext context, WaitEdge edge)
    {
        ThreadId id = edge.From.Thread!.Value;
        Claim what = edge.To.Lock is { } held ? Name(context, held)
            : edge.To.Task is not null ? (Claim)"a task"
            : edge.Kind == EdgeKind.WaitsForEnd ? $"the end of {Thread(context, edge.To.Thread!.Value)}"
            : edge.Kind == EdgeKind.WaitsForTransaction ? $"the transaction of {Thread(context, edge.To.Thread!.Value)}"
            : Parties.Of(context, edge.To).Label;
        return $"{Thread(context, id)} waits{Place(context, edge)} for {what}";
    }

    private static string Place(RuleContext context, WaitEdge edge)
        => context.Find(edge.From.Thread!.Value)?.Thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) is { Method: { } method } ? $" in {MethodText.Short(method)}" : string.Empty;

    /// <summary>A lock without its address.</summary>
    public static string Name(RuleContext context, LockId id) => LockText.Name(id.Kind, context.Find(id));

    /// <summary>A thread by its name, where it has one, without the system's number.</summary>
    public static Claim Thread(RuleContext context, ThreadId id)
        => context.Find(id)?.Thread is { } thread && thread.Name.TryGet(out string? name) && name.Length > 0
            ? (Claim)$"{Claim.Of(new ClaimPart(string.Create(CultureInfo.InvariantCulture, $"thread {thread.Index}")) { Thread = id })} \"{name}\""
            : Parties.Label(context, id);
}
