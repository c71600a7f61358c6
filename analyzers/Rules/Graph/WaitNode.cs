using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>A node of the wait graph: a thread, a lock or a task.</summary>
public sealed record WaitNode
{
    private WaitNode(ThreadId? thread, LockId? @lock, Address? task)
    {
        Thread = thread;
        Lock = @lock;
        Task = task;
    }

    public ThreadId? Thread { get; }

    public LockId? Lock { get; }

    /// <summary>The address of a task's object.</summary>
    public Address? Task { get; }

    public static WaitNode Of(ThreadId thread) => new(thread, null, null);

    public static WaitNode Of(LockId @lock) => new(null, @lock, null);

    public static WaitNode OfTask(Address task) => new(null, null, task);

    /// <summary>A thread, or else the task of an async method; null for neither.</summary>
    public static WaitNode? Of(ThreadId? thread, Address? task)
        => thread is { } id ? Of(id) : task is { } found ? OfTask(found) : null;
}
