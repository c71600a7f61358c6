namespace HangTriage.Capture.Windows.Images;

/// <summary>UNWIND_OP_CODES of winnt.h.</summary>
internal enum UnwindOperation
{
    Push = 0,
    AllocateLarge = 1,
    AllocateSmall = 2,
    SetFrame = 3,
    SaveNonvolatile = 4,
    SaveNonvolatileFar = 5,

    /// <summary>Version 2: where epilogs lie; they come first, padded to pairs. Version 1: an early way to save half an XMM register.</summary>
    Epilog = 6,

    /// <summary>Version 1: the far form of what 6 was there.</summary>
    Spare = 7,
    SaveXmm = 8,
    SaveXmmFar = 9,
    MachineFrame = 10,
}
