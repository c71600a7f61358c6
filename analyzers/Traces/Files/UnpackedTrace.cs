using Microsoft.Win32.SafeHandles;

namespace HangTriage.Traces.Files;

/// <summary>The trace of a gzip or zip file, unpacked to a temporary folder that only its user may enter; deleted on close.</summary>
internal sealed class UnpackedTrace : IDisposable
{
    private const int ChunkSize = 1 << 20;
    private const long BytesPerCheck = 64L << 20;

    /// <summary>What an unpacked file leaves free on the disk, in bytes.</summary>
    private const long ReservedDisk = 256L << 20;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("hangtriage-");

    private UnpackedTrace()
    {
    }

    public string FilePath => Path.Combine(_folder.FullName, "trace");

    /// <exception cref="TraceOpenException">It is damaged, holds not exactly one trace, or is too large.</exception>
    public static UnpackedTrace Of(SafeFileHandle file, PackedTrace format, TraceContext context)
    {
        UnpackedTrace? unpacked = null;
        try
        {
            unpacked = new UnpackedTrace();
            using FileStream packed = new(file, FileAccess.Read, bufferSize: 1);
            packed.Position = 0;
            using Stream content = format.Open(packed);
            unpacked.CopyFrom(content, context);
            return unpacked;
        }
        catch (Exception e)
        {
            unpacked?.Dispose();
            throw e switch
            {
                TraceOpenException or OperationCanceledException => e,
                InvalidDataException or NotSupportedException or EndOfStreamException => new TraceOpenException("the compressed file is damaged, cut off, encrypted or of an unknown method", e),
                IOException or UnauthorizedAccessException => new TraceOpenException($"the file cannot be unpacked (error 0x{e.HResult:x8})", e),
                _ => new TraceOpenException("the compressed file is damaged", e),
            };
        }
    }

    public void Dispose()
    {
        try
        {
            _folder.Delete(recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Gone already, or held open by a virus scanner: the system cleans its temporary folder.
        }
    }

    private void CopyFrom(Stream source, TraceContext context)
    {
        byte[] chunk = new byte[ChunkSize];
        long total = 0;
        long nextCheck = BytesPerCheck;
        using FileStream target = new(FilePath, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 1);
        for (int read = source.Read(chunk); read > 0; read = source.Read(chunk))
        {
            context.Cancellation.ThrowIfCancellationRequested();
            total += read;
            if (total > context.Limits.UnpackedBytes)
            {
                throw new TraceOpenException($"the file unpacks to more than the limit of {context.Limits.UnpackedBytes} bytes");
            }

            if (total > nextCheck)
            {
                nextCheck = total + BytesPerCheck;
                CheckDisk(total);
                context.Progress?.Report($"unpacking: {total >> 20} MB");
            }

            target.Write(chunk.AsSpan(0, read));
        }
    }

    private void CheckDisk(long total)
    {
        long free = new DriveInfo(_folder.FullName).AvailableFreeSpace;
        if (free < ReservedDisk + BytesPerCheck)
        {
            throw new TraceOpenException($"the disk of the temporary folder has {free >> 20} MB left after {total >> 20} MB were unpacked; {ReservedDisk >> 20} MB are left free");
        }
    }
}
