namespace HangTriage.Capture.Managed.Code;

/// <summary>A protected block of a method with the block that handles it; offsets of instructions, the ends behind the last.</summary>
/// <param name="TryStart">Where the protected block begins.</param>
/// <param name="TryEnd">Where it ends.</param>
/// <param name="Start">Where its handler begins.</param>
/// <param name="End">Where the handler ends.</param>
internal readonly record struct IlClause(int TryStart, int TryEnd, int Start, int End)
{
    /// <summary>
    /// The handler runs however the block is left; else it catches exceptions, or is a fault block, which runs behind them.
    /// </summary>
    public bool IsFinally { get; init; }

    public bool Catches { get; init; }

    public bool Protects(int offset) => TryStart <= offset && offset < TryEnd;

    /// <summary>The instruction is one of the handler's.</summary>
    public bool Handles(IlInstruction instruction) => instruction.Offset >= Start && instruction.End <= End;
}
