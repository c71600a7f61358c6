namespace HangTriage.Facts;

public enum TargetArchitecture
{
    X86,
    X64,
    Arm,
    Arm64,

    /// <summary>A trace alone does not tell it.</summary>
    Unknown,
}
