namespace HangTriage.Traces.Timeline;

/// <summary>Switch-outs of a thread for one reason.</summary>
internal sealed class ReasonCount(string name)
{
    public string Name { get; } = name;

    public long Count { get; set; }

    /// <summary>In steps of 100 ns.</summary>
    public long Time { get; set; }

    public bool IsReady { get; set; }
}
