namespace HangTriage.Facts;

/// <summary>An image in the target's address space.</summary>
/// <param name="Name">The file name without its folder, as it was loaded: "ntdll.dll".</param>
/// <param name="Base">Where the image starts.</param>
/// <param name="Size">The size of the image in memory, in bytes.</param>
public sealed record ModuleFacts(string Name, Address Base, ulong Size)
{
    /// <summary>The time stamp of the PE header (Windows), which with <see cref="Size"/> names the image in a symbol store.</summary>
    public uint? TimeDateStamp { get; init; }

    /// <summary>The file version, such as "10.0.14393.0"; null where the target does not carry one.</summary>
    public string? Version { get; init; }

    /// <summary>The PDB of the image (Windows); null where the target does not name it.</summary>
    public PdbId? Pdb { get; init; }
}
