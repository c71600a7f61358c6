namespace HangTriage.Traces.Timeline;

/// <summary>Waits of one thread for one lock of one owner.</summary>
internal sealed class ContentionCount
{
    public long Count { get; set; }

    /// <summary>In steps of 100 ns; null where none ended.</summary>
    public long? Longest { get; set; }
}
