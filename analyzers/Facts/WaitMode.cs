namespace HangTriage.Facts;

/// <summary>What ends a wait for several things.</summary>
public enum WaitMode
{
    All,
    Any,
}
