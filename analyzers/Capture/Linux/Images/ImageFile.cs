using HangTriage.Capture.Files;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Capture.Linux.Images;

/// <summary>A file of this machine that may be one that a process had mapped.</summary>
internal sealed class ImageFile : IDisposable
{
    public const ulong PageSize = 4096;

    private readonly SafeFileHandle _handle;

    private ImageFile(string path, string mappedPath, SafeFileHandle handle)
    {
        Path = path;
        MappedPath = mappedPath;
        _handle = handle;
        Length = (ulong)RandomAccess.GetLength(handle);
    }

    public string Path { get; }

    /// <summary>Where the process had it.</summary>
    public string MappedPath { get; }

    /// <summary>In bytes, when it was opened.</summary>
    public ulong Length { get; }

    /// <summary>Bytes that it fills in memory: the rest of its last page reads as zeros.</summary>
    public ulong MappedLength => (Length + PageSize - 1) / PageSize * PageSize;

    /// <summary>Null where the path leads to no ordinary file of this machine that can be read.</summary>
    public static ImageFile? Open(string path, string mappedPath, long limit)
    {
        try
        {
            return LocalFile.IsFit(path, limit) ? new ImageFile(path, mappedPath, File.OpenHandle(path)) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            return null;
        }
    }

    /// <summary>Reads as memory that is mapped from the file reads.</summary>
    /// <returns>Bytes read; fewer than asked for beyond the last page, or where the disk fails.</returns>
    public int Read(ulong offset, Span<byte> buffer)
    {
        int wanted = offset >= MappedLength ? 0 : (int)Math.Min((ulong)buffer.Length, MappedLength - offset);
        int there = offset >= Length ? 0 : (int)Math.Min((ulong)wanted, Length - offset);
        try
        {
            for (int read = 0; read < there;)
            {
                int more = RandomAccess.Read(_handle, buffer[read..there], (long)offset + read);
                if (more == 0)
                {
                    return read;
                }

                read += more;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return 0;
        }

        buffer[there..wanted].Clear();
        return wanted;
    }

    /// <summary>The range is of a segment of an ELF image that the process may write to, or that cannot be told.</summary>
    /// <param name="range">What was mapped from the file.</param>
    /// <param name="mostSegments">More than an image has.</param>
    public bool IsWritable(MappedRange range, int mostSegments)
    {
        try
        {
            using FileStream file = File.OpenRead(Path);
            return ElfFields.Open(file).Segments(mostSegments)
                .Any(segment => segment is { Type: ElfSegment.Load, IsWritable: true }
                    && range.FileOffset >= segment.FileOffset / PageSize * PageSize
                    && range.FileOffset < segment.FileOffset + segment.FileSize);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            return true;
        }
    }

    public void Dispose() => _handle.Dispose();
}
