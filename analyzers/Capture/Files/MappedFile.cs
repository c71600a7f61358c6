using System.IO.MemoryMappedFiles;

namespace HangTriage.Capture.Files;

/// <summary>A file of any size, mapped for reading. Reads beyond its end are short, never an error.</summary>
internal sealed unsafe class MappedFile : IDisposable
{
    private readonly MemoryMappedFile _map;
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private bool _isDisposed;

    private MappedFile(MemoryMappedFile map, MemoryMappedViewAccessor view, ulong length)
    {
        _map = map;
        _view = view;
        Length = length;
        byte* start = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        _start = start + view.PointerOffset;
    }

    /// <summary>In bytes, when it was opened.</summary>
    public ulong Length { get; }

    /// <exception cref="TargetOpenException">The file is missing, empty or cannot be read.</exception>
    public static MappedFile Open(string path)
    {
        try
        {
            using FileStream file = PlainFile.OpenStream(path);
            long length = file.Length;
            if (length == 0)
            {
                throw new TargetOpenException("the file is empty");
            }

            MemoryMappedFile map = MemoryMappedFile.CreateFromFile(
                file, mapName: null, capacity: 0, MemoryMappedFileAccess.Read, HandleInheritability.None, leaveOpen: true);
            try
            {
                return new MappedFile(map, map.CreateViewAccessor(0, length, MemoryMappedFileAccess.Read), (ulong)length);
            }
            catch
            {
                map.Dispose();
                throw;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new TargetOpenException(FileErrors.Describe(e), e);
        }
    }

    /// <summary>Copies what the file has of the range.</summary>
    /// <returns>The number of bytes copied.</returns>
    public int Read(ulong offset, Span<byte> buffer)
    {
        if (_isDisposed || offset >= Length)
        {
            return 0;
        }

        int count = (int)Math.Min((ulong)buffer.Length, Length - offset);
        new ReadOnlySpan<byte>(_start + offset, count).CopyTo(buffer);
        return count;
    }

    public bool TryRead(ulong offset, Span<byte> buffer) => Read(offset, buffer) == buffer.Length;

    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _view.SafeMemoryMappedViewHandle.ReleasePointer();
            _view.Dispose();
            _map.Dispose();
        }
    }
}
