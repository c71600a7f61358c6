using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

/// <summary>Calls threads and locks by the names that people know them by.</summary>
internal static class Parties
{
    public static Party Of(RuleContext context, WaitNode node)
        => node.Thread is { } thread ? OfThread(context, thread)
            : node.Task is { } task ? Party.OfTask(task, Label(context, task))
            : OfLock(context, node.Lock!);

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

    /// <summary>As "async method App.WorkAsync (0x…)" or "Task.Delay (0x…)".</summary>
    public static string Label(RuleContext context, Address task)
        => $"{(context.FindTask(task) is { } facts ? Tasks.TaskText.Name(facts) : "task")} ({task})";

    /// <summary>As "monitor of App.Account (0x7f…)" or "critical section app.exe+0xd100 (0x…)".</summary>
    public static string Label(RuleContext context, LockId id)
    {
        string name = context.Find(id) is { } @lock && @lock.Name.TryGet(out string? text) ? text : string.Empty;
        string called = (id.Kind, name) switch
        {
            (LockKind.LoaderLock or LockKind.LoadInProgress, _) or (_, "") => KindOf(id.Kind),
            (LockKind.Monitor or LockKind.ManagedLock or LockKind.SpinLock, _) => $"{KindOf(id.Kind)} of {name}",
            (LockKind.ReaderWriterLock or LockKind.SemaphoreSlim or LockKind.ManagedEvent, _) => name,
            (LockKind.ReaderWriterLockUpgrade or LockKind.ReaderWriterLockReaders, _) => $"{KindOf(id.Kind)} of {name}",
            _ => $"{KindOf(id.Kind)} {name}",
        };
        return $"{called} ({id.Address})";
    }

    private static string KindOf(LockKind kind) => kind switch
    {
        LockKind.LoaderLock => "the loader lock",
        LockKind.LoadInProgress => "the load in progress",
        LockKind.CriticalSection => "critical section",
        LockKind.Monitor => "monitor",
        LockKind.ManagedLock => "Lock",
        LockKind.SrwLock => "SRW lock",
        LockKind.Mutex => "mutex",
        LockKind.Event => "event",
        LockKind.Semaphore => "semaphore",
        LockKind.Thread => "thread handle",
        LockKind.Process => "process handle",
        LockKind.Address => "address",
        LockKind.ReaderWriterLock => "reader/writer lock",
        LockKind.ReaderWriterLockUpgrade => "upgradeable mode",
        LockKind.ReaderWriterLockReaders => "readers",
        LockKind.SemaphoreSlim => "SemaphoreSlim",
        LockKind.ManagedEvent => "managed event",
        LockKind.SpinLock => "SpinLock",
        _ => "kernel object",
    };

    public static ChainLink Link(RuleContext context, WaitEdge edge)
        => new(Of(context, edge.From), edge.Label, Of(context, edge.To));
}
