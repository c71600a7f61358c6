namespace HangTriage.Tests.Support.Synthetic;

/// <summary>What one step of a prolog does to the stack.</summary>
public enum PrologOperationKind
{
    Push,
    AllocateSmall,
    AllocateLarge,
    AllocateHuge,
    SetFrame,
    Save,
    SaveFar,
    SaveXmm,
    SaveXmmFar,
    MachineFrame,
}
