namespace HangTriage.Facts;

public enum TargetArchitecture
{
    X86,
    X64,
    Arm,
    Arm64,
}
