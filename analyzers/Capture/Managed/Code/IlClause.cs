namespace HangTriage.Capture.Managed.Code;

/// <summary>A protected block of a method with the block that handles it; offsets of instructions, the ends behind the last.</summary>
/// <param name="TryStart">Where the protected block begins.</param>
/// <param name="TryEnd">Where it ends.</param>
/// <param name="Start">Where its handler begins.</param>
/// <param name="End">Where the handler ends.</param>
/// <param name="Catches">The handler catches exceptions; else it is a finally or fault block.</param>
internal readonly record struct IlClause(int TryStart, int TryEnd, int Start, int End, bool Catches);
