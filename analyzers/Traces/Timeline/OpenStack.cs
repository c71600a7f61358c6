namespace HangTriage.Traces.Timeline;

/// <summary>An event that waits for its stack; used again for another one once it is closed.</summary>
internal sealed class OpenStack
{
    private (IStackTaker? Taker, ulong Ip, uint Samples) _first;

    /// <summary>Others that want the same event's stack; null where there are none.</summary>
    public List<(IStackTaker? Taker, ulong Ip, uint Samples)>? Others { get; set; }

    /// <summary>Null where no frames came.</summary>
    public List<ulong>? Frames { get; set; }

    public StackRef Keys { get; set; }

    public void Begin(IStackTaker? taker, ulong ip, uint samples)
    {
        _first = (taker, ip, samples);
        Keys = default;
        Frames?.Clear();
        Others?.Clear();
    }

    public void Close(StackRef stack)
    {
        _first.Taker?.Take(stack, _first.Ip, _first.Samples);
        _first.Taker = null;
        foreach ((IStackTaker? taker, ulong ip, uint samples) in Others ?? [])
        {
            taker?.Take(stack, ip, samples);
        }
    }
}
