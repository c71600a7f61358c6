namespace HangTriage.Capture.Windows.Images;

internal enum FunctionLookup
{
    /// <summary>An entry covers the address.</summary>
    Found,

    /// <summary>The table was searched and none does: a leaf function, or no code.</summary>
    None,

    /// <summary>The table, or the part that decides, is not in the target's memory.</summary>
    Unreadable,
}
