namespace HangTriage.Facts;

/// <summary>Which PDB belongs to an image: what its linker wrote into the image (CodeView record RSDS).</summary>
/// <param name="Name">The PDB's file name without its folder.</param>
/// <param name="Signature">The PDB's GUID, made anew by each link.</param>
/// <param name="Age">How often the PDB was written since, from 1.</param>
public sealed record PdbId(string Name, Guid Signature, uint Age);
