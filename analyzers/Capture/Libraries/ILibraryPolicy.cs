namespace HangTriage.Capture.Libraries;

/// <summary>Decides which native library of this machine may be loaded to read a target.</summary>
internal interface ILibraryPolicy
{
    /// <summary>The file to load, links resolved; null, with one line that says what is needed and what to do, where there is none.</summary>
    string? Choose(LibraryNeed need, out string why);
}
