using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>A node of the wait graph: a thread or a lock, never both.</summary>
public sealed record WaitNode
{
    private WaitNode(ThreadId? thread, LockId? @lock)
    {
        Thread = thread;
        Lock = @lock;
    }

    public ThreadId? Thread { get; }

    public LockId? Lock { get; }

    public static WaitNode Of(ThreadId thread) => new(thread, null);

    public static WaitNode Of(LockId @lock) => new(null, @lock);
}
