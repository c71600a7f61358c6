using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using HangTriage.Capture.Files;

namespace HangTriage.Capture.Managed.Code;

/// <summary>
/// The file that a module was loaded from, for instructions that are not in the input: a core with the heap alone leaves out what the files
/// have. It counts only where its metadata are those of the target, byte by byte: they have an id of the build, and the places of all
/// instructions. Nothing of it is run.
/// </summary>
internal sealed class ImageFile : IDisposable
{
    private const long MostBytes = 256L << 20;

    private readonly PEReader _image;

    private ImageFile(PEReader image) => _image = image;

    /// <param name="path">The file; null for none.</param>
    /// <param name="metadata">The target's.</param>
    /// <returns>Null for no file, one of another build, or one that is damaged.</returns>
    public static ImageFile? Open(string? path, ReadOnlySpan<byte> metadata)
    {
        if (path is not { Length: > 0 } || !LocalFile.IsFit(path, MostBytes))
        {
            return null;
        }

        PEReader? image = null;
        try
        {
            image = new PEReader(File.OpenRead(path));
            if (image.HasMetadata && image.GetMetadata().GetContent().AsSpan().SequenceEqual(metadata))
            {
                ImageFile file = new(image);
                image = null;
                return file;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidOperationException)
        {
            return null;
        }
        finally
        {
            image?.Dispose();
        }

        return null;
    }

    /// <param name="place">Relative to where the image is loaded.</param>
    /// <param name="buffer">What is filled.</param>
    /// <returns>How many bytes were read: fewer than asked for at the end of a section, none outside of all.</returns>
    public int Read(ulong place, Span<byte> buffer)
    {
        if (place > int.MaxValue)
        {
            return 0;
        }

        try
        {
            PEMemoryBlock section = _image.GetSectionData((int)place);
            int length = Math.Min(section.Length, buffer.Length);
            section.GetContent(0, length).CopyTo(buffer);
            return length;
        }
        catch (Exception e) when (e is IOException or BadImageFormatException)
        {
            return 0;
        }
    }

    public void Dispose() => _image.Dispose();
}
