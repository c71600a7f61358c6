namespace HangTriage.Facts.Calls;

/// <summary>Whether a call ends without anybody's help.</summary>
public enum CallEnd
{
    /// <summary>Nothing about the call says.</summary>
    Unknown,

    /// <summary>It always does.</summary>
    ByItself,

    /// <summary>It never does: it takes no timeout.</summary>
    Never,

    /// <summary>Unless its timeout argument, a pointer, is null.</summary>
    UnlessNull,

    /// <summary>Unless its timeout argument, in milliseconds, is negative.</summary>
    UnlessNegative,

    /// <summary>As <see cref="UnlessNull"/> for the operations of futex(2) that wait; the others do not wait.</summary>
    ByOperation,

    /// <summary>Where the overload takes a timeout or a cancellation token.</summary>
    ByOverload,
}
