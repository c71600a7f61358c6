namespace HangTriage.Traces.Timeline;

/// <summary>The longest wait of a thread so far.</summary>
internal sealed class LongWait(long from, long length, string? reason, bool isOpen, Readied? by) : IStackTaker
{
    public long From { get; } = from;

    public long Length { get; } = length;

    public string? Reason { get; } = reason;

    public bool IsOpen { get; } = isOpen;

    public Readied? By { get; } = by;

    /// <summary>Of the switch that let the thread run again.</summary>
    public StackRef Stack { get; private set; }

    public void Take(StackRef stack, ulong ip, uint count) => Stack = stack;
}
