using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>Calls threads and locks by the names that people know them by.</summary>
internal static class Parties
{
    public static Party Of(RuleContext context, WaitNode node)
        => node.Thread is { } thread ? OfThread(context, thread) : OfLock(context, node.Lock!);

    public static Party OfThread(RuleContext context, ThreadId thread) => Party.OfThread(thread, Label(context, thread));

    public static Party OfLock(RuleContext context, LockId @lock) => Party.OfLock(@lock, Label(context, @lock));

    /// <summary>As "thread 114 (0x6710) "worker"": the debugger's number, the id, and the name where there is one.</summary>
    public static string Label(RuleContext context, ThreadId id)
    {
        if (context.Find(id)?.Thread is not { } thread)
        {
            return $"thread {id}, which is not among the process's threads";
        }

        string name = thread.Name.TryGet(out string? text) && text.Length > 0 ? $" \"{text}\"" : string.Empty;
        return string.Create(CultureInfo.InvariantCulture, $"thread {thread.Index} ({id}){name}");
    }

    public static string Label(RuleContext context, LockId id)
    {
        string kind = id.Kind switch
        {
            LockKind.LoaderLock => "the loader lock",
            LockKind.CriticalSection => "critical section",
            LockKind.Monitor => "monitor",
            LockKind.ManagedLock => "Lock",
            _ => "lock",
        };
        string name = id.Kind != LockKind.LoaderLock && context.Find(id) is { } @lock && @lock.Name.TryGet(out string? text) && text.Length > 0
            ? $" of {text}"
            : string.Empty;
        return $"{kind}{name} ({id.Address})";
    }

    public static ChainLink Link(RuleContext context, WaitEdge edge)
        => new(Of(context, edge.From), edge.Label, Of(context, edge.To));
}
