namespace HangTriage.Traces.Timeline;

/// <summary>What one thread did in an <see cref="AroundSpan"/>; times in steps of 100 ns.</summary>
internal sealed class AroundCount
{
    public long Running { get; set; }

    public long Switches { get; set; }

    public long LongestWait { get; set; }
}
