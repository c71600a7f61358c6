namespace HangTriage.Traces.Timeline;

/// <summary>How often a kind of event was met.</summary>
internal sealed class Counted(bool isDecoded)
{
    public bool IsDecoded { get; } = isDecoded;

    public long Count { get; set; }
}
