namespace HangTriage.Capture.Windows.Images;

/// <summary>One slot of UNWIND_CODE.</summary>
/// <param name="PrologOffset">Behind the instruction that it undoes, in bytes from the function's begin.</param>
/// <param name="Rest">The operation in the low four bits, its operand above.</param>
internal readonly record struct UnwindCode(byte PrologOffset, byte Rest)
{
    public UnwindOperation Operation => (UnwindOperation)(Rest & 15);

    public int Info => Rest >> 4;

    /// <summary>The slots that the operation takes, its own with them; 0 where it is not known.</summary>
    public int Slots => Operation switch
    {
        UnwindOperation.AllocateLarge => Info switch { 0 => 2, 1 => 3, _ => 0 },
        UnwindOperation.SaveNonvolatile or UnwindOperation.SaveXmm or UnwindOperation.Epilog => 2,
        UnwindOperation.SaveNonvolatileFar or UnwindOperation.SaveXmmFar or UnwindOperation.Spare => 3,
        UnwindOperation.Push or UnwindOperation.AllocateSmall or UnwindOperation.SetFrame or UnwindOperation.MachineFrame => 1,
        _ => 0,
    };
}
