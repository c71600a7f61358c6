using System.Buffers.Binary;
using HangTriage.Capture.Files;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The header of a minidump and where its streams lie (MINIDUMP_HEADER and MINIDUMP_DIRECTORY of minidumpapiset.h).</summary>
internal sealed class MinidumpDirectory
{
    private const int HeaderSize = 32;
    private const int EntrySize = 12;
    private const uint Signature = 0x504D444D; // "MDMP"
    private const ushort Version = 0xA793;

    private readonly Dictionary<MinidumpStreamType, MinidumpStream> _streams = [];

    /// <summary>Seconds since 1970, UTC; 0 where the writer did not say.</summary>
    public uint TimeDateStamp { get; private init; }

    /// <exception cref="TargetOpenException">The file is no minidump, or its directory cannot be read.</exception>
    public static MinidumpDirectory Read(MappedFile file, CaptureLimits limits)
    {
        Span<byte> header = stackalloc byte[HeaderSize];
        int read = file.Read(0, header);
        if (read < 4 || BinaryPrimitives.ReadUInt32LittleEndian(header) != Signature)
        {
            throw new TargetOpenException("not a minidump: the signature MDMP is missing");
        }

        if (read < HeaderSize)
        {
            throw new TargetOpenException($"minidump cut off within its header: {read} of {HeaderSize} bytes");
        }

        ushort version = BinaryPrimitives.ReadUInt16LittleEndian(header[4..]);
        if (version != Version)
        {
            throw new TargetOpenException($"minidump header: Version 0x{version:x}, expected 0x{Version:x}");
        }

        uint count = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
        uint rva = BinaryPrimitives.ReadUInt32LittleEndian(header[12..]);
        if (count > limits.Streams)
        {
            throw new TargetOpenException($"minidump header: NumberOfStreams {count} is above the limit of {limits.Streams}");
        }

        if (rva + ((ulong)count * EntrySize) > file.Length)
        {
            throw new TargetOpenException(
                $"minidump header: the directory of {count} streams at 0x{rva:x} ends beyond the file of {file.Length} bytes");
        }

        MinidumpDirectory directory = new() { TimeDateStamp = BinaryPrimitives.ReadUInt32LittleEndian(header[20..]) };
        directory.ReadEntries(file, rva, count);
        return directory;
    }

    /// <summary>The stream's place; of two streams of a type the first that is not empty.</summary>
    public bool TryGet(MinidumpStreamType type, out MinidumpStream stream) => _streams.TryGetValue(type, out stream);

    private void ReadEntries(MappedFile file, uint rva, uint count)
    {
        Span<byte> entry = stackalloc byte[EntrySize];
        for (uint i = 0; i < count && file.TryRead(rva + ((ulong)i * EntrySize), entry); i++)
        {
            MinidumpStreamType type = (MinidumpStreamType)BinaryPrimitives.ReadUInt32LittleEndian(entry);
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]);
            uint offset = BinaryPrimitives.ReadUInt32LittleEndian(entry[8..]);
            if (size > 0)
            {
                _streams.TryAdd(type, new MinidumpStream(offset, size));
            }
        }
    }
}
