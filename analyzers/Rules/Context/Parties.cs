using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Calls threads, locks and tasks by the names that people know them by.</summary>
internal static class Parties
{
    public static Party Of(RuleContext context, WaitNode node)
        => node.Thread is { } thread ? OfThread(context, thread)
            : node.Task is { } task ? Party.OfTask(task, Label(context, task))
            : OfLock(context, node.Lock!);

    public static Party OfThread(RuleContext context, ThreadId thread) => Party.OfThread(thread, Label(context, thread));

    public static Party OfLock(RuleContext context, LockId @lock) => Party.OfLock(@lock, Label(context, @lock));

    /// <summary>One of the suspended async methods, as "async method Cache.GetAsync (0x…)".</summary>
    public static Party OfFlow(FlowGroup group) => OfFlow(group.Sample, group.Method);

    public static Party OfFlow(Address box, string method)
        => Party.OfTask(box, $"{MethodText.Async(method)} ({Claim.Of(new ClaimPart(box.ToString()) { Task = box })})");

    /// <summary>As "thread 114 (0x6710) "worker"": the debugger's number, the id, and the name where there is one.</summary>
    public static Claim Label(RuleContext context, ThreadId id)
    {
        if (context.Find(id)?.Thread is not { } thread)
        {
            if (context.Case.IsTraceAlone)
            {
                return Ended(context, id);
            }

            Claim missing = Claim.Of(new ClaimPart($"thread {id}") { Thread = id });
            return context.Snapshot.Threads.HasValue ? $"{missing}, which is not among the process's threads" : missing;
        }

        string text = thread.Index == ThreadFacts.NoIndex
            ? $"thread {id}" : string.Create(CultureInfo.InvariantCulture, $"thread {thread.Index} ({id})");
        Claim number = Claim.Of(new ClaimPart(text) { Thread = id });
        return thread.Name.TryGet(out string? name) && name.Length > 0 ? $"{number} \"{name}\"" : number;
    }

    // A thread that ended within the trace.
    private static Claim Ended(RuleContext context, ThreadId id)
    {
        Claim label = Claim.Of(new ClaimPart($"thread {id}") { Thread = id });
        return context.Trace?.Facts.Threads.LastOrDefault(thread => thread.OsId == id)?.Name.TryGet(out string? name) == true
            && name.Length > 0 ? $"{label} \"{name}\"" : label;
    }

    /// <summary>As "async method App.WorkAsync (0x…)" or "Task.Delay (0x…)".</summary>
    public static Claim Label(RuleContext context, Address task)
    {
        Claim address = Claim.Of(new ClaimPart(task.ToString()) { Task = task });
        string name = context.FindTask(task) is { } facts ? TaskText.Name(facts) : NameOfFlow(context, task);
        return $"{name} ({address}){OperationOf(context, task)}";
    }

    // No thread waits for it, directly or behind others.
    private static string NameOfFlow(RuleContext context, Address task)
        => context.Flows.Of(task) is { Method: var method } && method != TaskCalls.OfOperation ? MethodText.Async(method) : "task";

    // As ", which waits to write to the channel Till._sales, 3 of 3 used".
    private static string OperationOf(RuleContext context, Address task)
        => context.Flows.Of(task) is { Method: TaskCalls.OfOperation, State: FlowState.Suspended } operation
            ? $", which waits {FlowText.Waits(operation.Waits)}" : string.Empty;

    /// <summary>As "monitor of App.Account (0x7f…)" or "critical section app.exe+0xd100 (0x…)".</summary>
    public static Claim Label(RuleContext context, LockId id)
    {
        // There is one of each, and its address is the runtime's own.
        if (id.Kind is LockKind.Finalizers or LockKind.ExitHandlers or LockKind.Suspension)
        {
            return LockText.Name(id.Kind, null);
        }

        Claim address = Claim.Of(new ClaimPart(id.Address.ToString()) { Lock = id });
        return $"{LockText.Name(id.Kind, context.Find(id))} ({address})";
    }

    public static ChainLink Link(RuleContext context, WaitEdge edge)
        => new(Of(context, edge.From), EdgeText.Of(edge.Kind), Of(context, edge.To));

    /// <summary>The edge as a sentence: "thread 3 (0x12) waits for monitor of App.Account (0x7f…)".</summary>
    public static Claim Sentence(RuleContext context, WaitEdge edge)
        => $"{Of(context, edge.From)} {EdgeText.Of(edge.Kind)} {Of(context, edge.To)}";
}
