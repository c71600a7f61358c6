namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The processor of the target; the values are those of SYSTEM_INFO.</summary>
public enum SyntheticArchitecture
{
    X86 = 0,
    X64 = 9,
    Arm64 = 12,
}
