namespace HangTriage.Capture.Symbols;

/// <summary>How a server answered.</summary>
internal enum SymbolAnswer
{
    /// <summary>The file is there, whole.</summary>
    Done,

    /// <summary>The server does not have it.</summary>
    NotThere,

    /// <summary>It cannot be had, for a reason that is not the file's.</summary>
    Failed,
}
