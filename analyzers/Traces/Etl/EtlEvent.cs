namespace HangTriage.Traces.Etl;

/// <summary>One event, as its header says it; valid while the handler that gets it runs.</summary>
internal readonly ref struct EtlEvent
{
    public required EtlEventKind Kind { get; init; }

    /// <summary>In the session's clock.</summary>
    public required long Time { get; init; }

    public required ushort Processor { get; init; }

    /// <summary>Group &lt;&lt; 8 | opcode of a kernel event; the opcode of a classic event; the id of a manifest's.</summary>
    public required ushort Id { get; init; }

    /// <summary>The layout of the payload.</summary>
    public byte Version { get; init; }

    /// <summary>Empty for kernel events.</summary>
    public Guid Provider { get; init; }

    /// <summary>The process that wrote it; null where the header has none.</summary>
    public uint? Pid { get; init; }

    /// <summary>The thread that wrote it; null where the header has none.</summary>
    public uint? Tid { get; init; }

    /// <summary>Bytes of a pointer in the payload, 4 or 8.</summary>
    public required int PointerSize { get; init; }

    public required ReadOnlySpan<byte> Payload { get; init; }
}
