namespace HangTriage.Tests.Support.Synthetic;

/// <summary>One step of a prolog.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Register">A general register, or the number of an xmm register.</param>
/// <param name="Value">The size allocated, the offset of the save or of the frame; 1 for an error code.</param>
/// <param name="EndOffset">Where its instruction ends, counted from the start of the function.</param>
public sealed record PrologOperation(PrologOperationKind Kind, Register Register, uint Value, int EndOffset)
{
    public bool Allocates
        => Kind is PrologOperationKind.AllocateSmall or PrologOperationKind.AllocateLarge or PrologOperationKind.AllocateHuge;

    public bool SavesGeneral => Kind is PrologOperationKind.Save or PrologOperationKind.SaveFar;

    public bool SavesXmm => Kind is PrologOperationKind.SaveXmm or PrologOperationKind.SaveXmmFar;
}
