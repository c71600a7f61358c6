using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A minidump of a few hundred bytes, stream by stream; every field can lie.</summary>
internal sealed class DumpBytes
{
    private readonly List<(uint Type, uint Size, uint Rva)> _directory = [];
    private readonly List<byte> _body = [];

    public uint Signature { get; init; } = 0x504D444D;

    public uint Version { get; init; } = 0xA793;

    public uint Time { get; init; } = 1_700_000_000;

    public uint? StreamCount { get; init; }

    public uint? DirectoryRva { get; init; }

    /// <summary>Streams and loose data start here.</summary>
    public static uint BodyStart => 32 + (16 * 12);

    public DumpBytes System(ushort architecture = 9, uint platform = 2, uint build = 22631, byte processors = 4)
    {
        byte[] info = new byte[56];
        BinaryPrimitives.WriteUInt16LittleEndian(info, architecture);
        info[6] = processors;
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(16), build);
        BinaryPrimitives.WriteUInt32LittleEndian(info.AsSpan(20), platform);
        return Stream(7, info);
    }

    /// <summary>Adds bytes that no stream is, and says where they lie.</summary>
    public uint Loose(params byte[] bytes)
    {
        uint rva = BodyStart + (uint)_body.Count;
        _body.AddRange(bytes);
        return rva;
    }

    public uint Text(string text) => Loose([.. U32((uint)text.Length * 2), .. Encoding.Unicode.GetBytes(text)]);

    /// <param name="type">The stream's type.</param>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="size">The size that the directory states, where it is not that of the bytes.</param>
    public DumpBytes Stream(uint type, byte[] bytes, uint? size = null)
    {
        _directory.Add((type, size ?? (uint)bytes.Length, Loose(bytes)));
        return this;
    }

    public byte[] Build()
    {
        List<byte> file = [.. U32(Signature), .. U32(Version), .. U32(StreamCount ?? (uint)_directory.Count), .. U32(DirectoryRva ?? 32), .. U32(0), .. U32(Time), .. U64(0)];
        foreach ((uint type, uint size, uint rva) in _directory)
        {
            file.AddRange([.. U32(type), .. U32(size), .. U32(rva)]);
        }

        file.AddRange(new byte[BodyStart - file.Count]);
        file.AddRange(_body);
        return [.. file];
    }

    public static byte[] Thread(uint id, ulong teb = 0, ulong stackStart = 0, uint stackSize = 0, uint stackRva = 0, uint contextSize = 0, uint contextRva = 0)
        => [.. U32(id), .. new byte[12], .. U64(teb), .. U64(stackStart), .. U32(stackSize), .. U32(stackRva), .. U32(contextSize), .. U32(contextRva)];

    public static byte[] Module(ulong imageBase, uint size, uint nameRva, uint stamp = 0, params ushort[] version)
    {
        byte[] module = new byte[108];
        BinaryPrimitives.WriteUInt64LittleEndian(module, imageBase);
        BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(8), size);
        BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(16), stamp);
        BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(20), nameRva);
        if (version.Length == 4)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(24), 0xFEEF04BD);
            BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(32), ((uint)version[0] << 16) | version[1]);
            BinaryPrimitives.WriteUInt32LittleEndian(module.AsSpan(36), ((uint)version[2] << 16) | version[3]);
        }

        return module;
    }

    public static byte[] ThreadInfo(uint id, uint flags, ulong created, ulong kernel, ulong user, ulong start)
        => [.. U32(id), .. U32(flags), .. U32(0), .. U32(259), .. U64(created), .. U64(0), .. U64(kernel), .. U64(user), .. U64(start), .. U64(0)];

    public static byte[] U32(uint value) => BitConverter.GetBytes(value);

    public static byte[] U64(ulong value) => BitConverter.GetBytes(value);
}
