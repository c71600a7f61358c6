namespace HangTriage.Traces.Timeline;

/// <summary>How often one thread made another ready. Times are in steps of 100 ns from the window's start.</summary>
internal sealed class PartnerCount(in Readied first)
{
    public ThreadLine? By { get; } = first.By;

    public bool IsDeferred { get; } = first.IsDeferred;

    public long First { get; } = first.At;

    public long Last { get; private set; } = first.At;

    public long LongestBetween { get; private set; }

    public long Count { get; private set; }

    public bool Is(in Readied readied) => ReferenceEquals(By, readied.By) && IsDeferred == readied.IsDeferred;

    public void Add(long at)
    {
        LongestBetween = Math.Max(LongestBetween, at - Last);
        Last = at;
        Count++;
    }
}
