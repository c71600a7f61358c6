using HangTriage.Capture.Symbols;

namespace HangTriage.Cli;

/// <summary>Files beside the target that a capture may open: those that the user names.</summary>
/// <param name="Symbols">Where image files and PDBs are.</param>
/// <param name="Dac">The library that reads the .NET runtime's data; null to look for the runtime's own.</param>
internal sealed record CaptureFiles(SymbolPath Symbols, string? Dac)
{
    /// <exception cref="UsageException">A value cannot be used as it was given.</exception>
    public static CaptureFiles Of(Host host, IReadOnlyList<string> symbols, string? dac)
        => dac is null || File.Exists(dac)
            ? new CaptureFiles(SymbolPaths.Of(host, symbols), dac is null ? null : Path.GetFullPath(dac))
            : throw new UsageException($"--dac {dac}: there is no such file.");
}
