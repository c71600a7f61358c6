namespace HangTriage.Capture.Symbols;

/// <summary>Opens a file and checks that it is the one that is looked for.</summary>
/// <param name="path">The file.</param>
/// <param name="why">Where it is not, or is damaged: what to say of it, as a clause about the file.</param>
internal delegate T? SymbolOpener<T>(string path, out string why)
    where T : class, IDisposable;
