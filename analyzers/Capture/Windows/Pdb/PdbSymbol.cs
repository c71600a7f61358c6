namespace HangTriage.Capture.Windows.Pdb;

/// <summary>Where the NUL-ended name of a symbol lies.</summary>
/// <param name="Stream">The number of the stream.</param>
/// <param name="NameOffset">From the stream's start, in bytes.</param>
internal readonly record struct PdbSymbol(ushort Stream, uint NameOffset);
