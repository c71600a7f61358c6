using System.Buffers.Binary;
using System.IO.Compression;
using HangTriage.Facts;

namespace HangTriage.Capture.Targets;

/// <summary>The one file in a packed file, unpacked to a temporary folder that only its user may enter; deleted on close.</summary>
internal sealed class UnpackedFile : IDisposable
{
    private const int ChunkSize = 1 << 20;
    private const long BytesPerCheck = 64L << 20;

    /// <summary>What an unpacked file leaves free on the disk, in bytes.</summary>
    private const long ReservedDisk = 256L << 20;

    private readonly DirectoryInfo _folder;

    private UnpackedFile(DirectoryInfo folder) => _folder = folder;

    /// <summary>What is doubtful about the unpacked file; null where nothing is.</summary>
    public Gap? Doubt { get; private set; }

    public string FilePath => Path.Combine(_folder.FullName, "dump");

    /// <param name="packed">The file, open at its start.</param>
    /// <param name="format">How it is packed.</param>
    /// <param name="path">What the user calls it.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <exception cref="TargetOpenException">It is damaged, too large, or holds not exactly one file.</exception>
    public static UnpackedFile Unpack(FileStream packed, FileContent format, string path, CaptureContext context)
    {
        UnpackedFile unpacked = new(CreateFolder());
        try
        {
            unpacked.Doubt = format switch
            {
                FileContent.Gzip => unpacked.OfGzip(packed, context),
                FileContent.Zip => unpacked.OfZip(packed, context),
                FileContent.Tar => unpacked.Of(packed, context, static _ => null),
                _ => unpacked.OfProgram(packed, format, path, context),
            };
            return unpacked;
        }
        catch (Exception e) when (e is InvalidDataException or NotSupportedException or EndOfStreamException)
        {
            unpacked.Dispose();
            throw new TargetOpenException(Damage(format), e);
        }
        catch (IOException e)
        {
            unpacked.Dispose();
            throw new TargetOpenException($"the file cannot be unpacked (error 0x{e.HResult:x8})", e);
        }
        catch
        {
            unpacked.Dispose();
            throw;
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

    private static string Damage(FileContent format) => format switch
    {
        FileContent.Gzip => "the gzip file is damaged or cut off",
        FileContent.Zip => "the zip archive is damaged, encrypted or of an unknown method",
        _ => "the tar archive is damaged or cut off",
    };

    private Gap? OfGzip(FileStream packed, CaptureContext context)
    {
        using GZipStream gzip = new(packed, CompressionMode.Decompress, leaveOpen: true);
        return Of(gzip, context, size => CheckLength(packed, size));
    }

    private Gap? OfZip(FileStream packed, CaptureContext context)
    {
        using ZipArchive zip = new(packed, ZipArchiveMode.Read, leaveOpen: true);
        using Stream entry = SingleEntry(zip, context.Limits).Open();
        CopyFrom(entry, context);
        return null;
    }

    private Gap? OfProgram(FileStream packed, FileContent format, string path, CaptureContext context)
    {
        using UnpackingProgram program = UnpackingProgram.Start(format, packed, path);
        return Of(program.Output, context, program.Doubt);
    }

    /// <summary>Unpacks a file, or the file in the archive that the bytes are.</summary>
    /// <param name="content">The bytes.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <param name="check">What is doubtful about so many bytes of a file; an archive states its file's length itself.</param>
    private Gap? Of(Stream content, CaptureContext context, Func<long, Gap?> check)
    {
        byte[] head = new byte[FileSniffer.HeadSize];
        int read = content.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
        TarSource source = new(head.AsMemory(0, read), content);
        if (TarContent.Is(head.AsSpan(0, read)))
        {
            return TarContent.CopySingle(source, file => CopyFrom(file, context), context.Limits.UnpackedBytes);
        }

        source.Allow(context.Limits.UnpackedBytes);
        return check(CopyFrom(source, context));
    }

    private static DirectoryInfo CreateFolder()
    {
        try
        {
            return Directory.CreateTempSubdirectory("hangtriage-");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new TargetOpenException($"no temporary folder can be made to unpack the file (error 0x{e.HResult:x8})", e);
        }
    }

    private static ZipArchiveEntry SingleEntry(ZipArchive zip, CaptureLimits limits)
    {
        ZipArchiveEntry? single = null;
        int count = 0;
        foreach (ZipArchiveEntry entry in zip.Entries)
        {
            if (!entry.FullName.EndsWith('/'))
            {
                single = entry;
                count++;
            }
        }

        return count != 1 || single is null ? throw new TargetOpenException($"the zip archive holds {count} files, expected exactly one")
            : single.Length > limits.UnpackedBytes ? throw TooLarge(limits.UnpackedBytes)
            : single;
    }

    private static TargetOpenException TooLarge(long limit) => new($"the file unpacks to more than the limit of {limit} bytes");

    /// <summary>
    /// A gzip file ends with the low 32 bits of its unpacked size. The decompressor takes a file that is cut off for a
    /// short one; only this tells. A file of several members fails the check too, so it is a doubt, no error.
    /// </summary>
    private static Gap? CheckLength(FileStream packed, long size)
    {
        Span<byte> trailer = stackalloc byte[sizeof(uint)];
        packed.Seek(-trailer.Length, SeekOrigin.End);
        packed.ReadExactly(trailer);
        uint stated = BinaryPrimitives.ReadUInt32LittleEndian(trailer);
        return stated == unchecked((uint)size)
            ? null
            : new Gap("compressed file", $"it unpacks to {size} bytes and its end says otherwise: it is cut off, or was put together from several");
    }

    /// <summary>Returns the number of bytes that were unpacked.</summary>
    private long CopyFrom(Stream source, CaptureContext context)
    {
        byte[] chunk = new byte[ChunkSize];
        long total = 0;
        long nextCheck = 0;
        using FileStream target = new(FilePath, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 1);
        while (true)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            int read = source.Read(chunk);
            if (read == 0)
            {
                return total;
            }

            total += read;
            if (total > context.Limits.UnpackedBytes)
            {
                throw TooLarge(context.Limits.UnpackedBytes);
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
            throw new TargetOpenException(
                $"the disk of the temporary folder has {free >> 20} MB left after {total >> 20} MB were unpacked; {ReservedDisk >> 20} MB are left free");
        }
    }
}
