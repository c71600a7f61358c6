namespace HangTriage.Capture.Windows.Images;

/// <summary>IMAGE_DATA_DIRECTORY: a part of an image.</summary>
/// <param name="Rva">From the image's base.</param>
/// <param name="Size">In bytes, cut to the image; 0 where there is none.</param>
internal readonly record struct PeDirectory(uint Rva, uint Size)
{
    public bool Contains(uint rva) => rva >= Rva && rva - Rva < Size;
}
