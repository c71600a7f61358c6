namespace HangTriage.Facts;

/// <summary>One frame of a stack, the innermost first.</summary>
public sealed record FrameFacts
{
    /// <summary>The instruction pointer; above the first frame this is the return address.</summary>
    public required Address Ip { get; init; }

    /// <summary>The stack pointer in this frame, where its caller's is known to lie above.</summary>
    public required Address Sp { get; init; }

    public required FrameKind Kind { get; init; }

    /// <summary>How this frame was found: the first is read, unwound ones are derived, guessed ones scanned.</summary>
    public required Trust Trust { get; init; }

    /// <summary>The file name of the module that holds <see cref="Ip"/>; null outside every module.</summary>
    public string? Module { get; init; }

    /// <summary><see cref="Ip"/> less the module's base; null outside every module.</summary>
    public ulong? ModuleOffset { get; init; }

    /// <summary>The function's name, for managed frames with its type; null where nothing names it.</summary>
    public string? Method { get; init; }

    /// <summary>Bytes from the start of <see cref="Method"/>; null where that start is not known.</summary>
    public ulong? MethodOffset { get; init; }

    /// <summary>The line of source, for managed frames whose PDB was found and verified; null otherwise.</summary>
    public SourceLine? Source { get; init; }
}
