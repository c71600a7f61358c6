namespace HangTriage.Traces.Timeline;

/// <summary>What made a thread ready.</summary>
internal sealed class Readied(long at, ThreadLine? by, bool isDeferred, bool? isPagedOut) : IStackTaker
{
    /// <summary>In steps of 100 ns from the window's start.</summary>
    public long At { get; } = at;

    /// <summary>The thread on the processor; null where it is unknown or idle.</summary>
    public ThreadLine? By { get; } = by;

    public bool IsDeferred { get; } = isDeferred;

    /// <summary>The thread's kernel stack or its process was paged out; null where that is not recorded.</summary>
    public bool? IsPagedOut { get; } = isPagedOut;

    public StackRef Stack { get; private set; }

    public void Take(StackRef stack, ulong ip, uint count) => Stack = stack;
}
