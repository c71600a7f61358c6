namespace HangTriage.Traces.Timeline;

/// <summary>One process while the trace is read. Times are in steps of 100 ns from the window's start.</summary>
internal sealed class ProcessLine(uint pid)
{
    public uint Pid { get; } = pid;

    public string? Name { get; set; }

    /// <summary>Null where it began before the window.</summary>
    public long? From { get; set; }

    /// <summary>Null while it lives.</summary>
    public long? To { get; set; }

    public long Frozen { get; set; }

    public long? FrozenSince { get; set; }

    public RuntimeLine? Runtime { get; set; }

    public ImageMap Images { get; } = new();
}
