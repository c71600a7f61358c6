namespace HangTriage.Rules.Suspects;

/// <summary>What a suspicious wait is for.</summary>
public enum SuspectKind
{
    /// <summary>An event, a pulse or another signal of the process.</summary>
    Signal,

    /// <summary>A task.</summary>
    Task,

    /// <summary>Another process, a server, a device or a person.</summary>
    Outside,

    /// <summary>The runtime itself.</summary>
    Runtime,

    /// <summary>A lock whose owner is stuck for a reason that is unknown.</summary>
    Lock,

    /// <summary>Nothing tells.</summary>
    Unknown,
}
