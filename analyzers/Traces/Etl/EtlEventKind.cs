namespace HangTriage.Traces.Etl;

/// <summary>How an event says what it is.</summary>
internal enum EtlEventKind
{
    /// <summary>By a hook: the kernel's event group and opcode.</summary>
    Kernel,

    /// <summary>By the GUID of a class and an opcode (classic events).</summary>
    Classic,

    /// <summary>By a provider's GUID and an event id (manifests).</summary>
    Manifest,
}
