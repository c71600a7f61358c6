using System.Buffers.Binary;
using HangTriage.Capture.Files;
using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The ModuleList stream (MINIDUMP_MODULE, 108 bytes each).</summary>
internal static class MinidumpModules
{
    private const int RecordSize = 108;
    private const uint VersionSignature = 0xFEEF04BD; // VS_FIXEDFILEINFO

    public static Known<IReadOnlyList<ModuleFacts>> Read(
        MappedFile file, MinidumpDirectory directory, bool is32Bit, CaptureContext context, List<Gap> gaps)
    {
        if (!directory.TryGet(MinidumpStreamType.ModuleList, out MinidumpStream stream))
        {
            return Known.Unknown<IReadOnlyList<ModuleFacts>>("modules", "the dump has no ModuleList stream");
        }

        MinidumpList list = MinidumpList.Read(file, stream, RecordSize, context.Limits.Modules, "modules", isJudged: false, gaps);
        List<ModuleFacts> modules = new(list.Count);
        Span<byte> record = stackalloc byte[RecordSize];
        for (int i = 0; i < list.Count && list.TryRead(i, record); i++)
        {
            context.Cancellation.ThrowIfCancellationRequested();
            modules.Add(ReadModule(file, record, is32Bit, context.Limits));
        }

        return Known.Read<IReadOnlyList<ModuleFacts>>(modules);
    }

    private static ModuleFacts ReadModule(MappedFile file, ReadOnlySpan<byte> record, bool is32Bit, CaptureLimits limits)
    {
        ulong imageBase = BinaryPrimitives.ReadUInt64LittleEndian(record);
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(record[8..]);
        string name = MinidumpText.TryRead(file, BinaryPrimitives.ReadUInt32LittleEndian(record[20..]), limits.NameLength, out string path)
            ? SafeText.FileName(path)
            : "";
        Address address = new(is32Bit ? (uint)imageBase : imageBase);
        return new ModuleFacts(name.Length > 0 ? name : $"module@{address}", address, size)
        {
            TimeDateStamp = BinaryPrimitives.ReadUInt32LittleEndian(record[16..]),
            Version = VersionOf(record[24..]),
            Pdb = PdbOf(file, record[76..], limits),
        };
    }

    /// <summary>By the MINIDUMP_LOCATION_DESCRIPTOR of the CodeView record.</summary>
    private static PdbId? PdbOf(MappedFile file, ReadOnlySpan<byte> location, CaptureLimits limits)
    {
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(location);
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(location[4..]);
        if (size <= CodeViewRecord.HeadSize || offset == 0)
        {
            return null;
        }

        byte[] record = new byte[Math.Min(size, CodeViewRecord.HeadSize + (uint)limits.NameLength)];
        return CodeViewRecord.Parse(record.AsSpan(0, file.Read(offset, record)));
    }

    private static string? VersionOf(ReadOnlySpan<byte> fixedFileInfo)
    {
        if (BinaryPrimitives.ReadUInt32LittleEndian(fixedFileInfo) != VersionSignature)
        {
            return null;
        }

        uint high = BinaryPrimitives.ReadUInt32LittleEndian(fixedFileInfo[8..]);
        uint low = BinaryPrimitives.ReadUInt32LittleEndian(fixedFileInfo[12..]);
        return $"{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}";
    }
}
