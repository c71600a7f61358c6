namespace HangTriage.Facts;

/// <summary>What ends a wait for several things.</summary>
public enum WaitMode
{
    All,
    Any,

    /// <summary>One of the two; the source does not say which.</summary>
    AllOrAny,
}
