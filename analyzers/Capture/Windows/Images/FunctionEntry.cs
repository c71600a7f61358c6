namespace HangTriage.Capture.Windows.Images;

/// <summary>RUNTIME_FUNCTION of winnt.h: where a function, or a part of one, lies and how it is unwound.</summary>
/// <param name="Begin">The first byte, from the image's base.</param>
/// <param name="End">Behind the last byte.</param>
/// <param name="UnwindInfo">The UNWIND_INFO; with bit 0 set, another entry that stands for this one.</param>
internal readonly record struct FunctionEntry(uint Begin, uint End, uint UnwindInfo)
{
    public const int Size = 12;

    public bool Contains(uint rva) => rva >= Begin && rva < End;
}
