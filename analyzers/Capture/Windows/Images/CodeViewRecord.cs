using System.Buffers.Binary;
using System.Text;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// The record that names an image's PDB: "RSDS", a GUID, the age and a NUL-ended path (UTF-8, as cvinfo.h and the PE
/// format page have it). Older records ("NB10") are not read.
/// </summary>
internal static class CodeViewRecord
{
    /// <summary>The record without its path.</summary>
    public const int HeadSize = 24;

    private const uint Signature = 0x53445352;
    private const int MaxEntries = 32;
    private const int EntrySize = 28; // IMAGE_DEBUG_DIRECTORY
    private const uint CodeViewType = 2;

    /// <summary>Null where it is of another kind, or names nothing.</summary>
    public static PdbId? Parse(ReadOnlySpan<byte> record)
    {
        if (record.Length <= HeadSize || BinaryPrimitives.ReadUInt32LittleEndian(record) != Signature)
        {
            return null;
        }

        ReadOnlySpan<byte> path = record[HeadSize..];
        int end = path.IndexOf((byte)0);
        string name = SafeText.FileName(Encoding.UTF8.GetString(end < 0 ? path : path[..end]));
        return name.Length == 0 ? null : new PdbId(name, new Guid(record[4..20]), BinaryPrimitives.ReadUInt32LittleEndian(record[20..]));
    }

    /// <summary>Reads it by the image's debug directory; null where that is missing or has none.</summary>
    public static PdbId? Read(TargetMemory memory, ulong imageBase, PeDirectory debug, int nameLimit)
    {
        Span<byte> entry = stackalloc byte[EntrySize];
        for (uint i = 0; i < Math.Min(debug.Size / EntrySize, MaxEntries) && memory.TryRead(imageBase + debug.Rva + (i * EntrySize), entry); i++)
        {
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(entry[16..]);
            uint rva = BinaryPrimitives.ReadUInt32LittleEndian(entry[20..]);
            if (BinaryPrimitives.ReadUInt32LittleEndian(entry[12..]) == CodeViewType && rva != 0)
            {
                byte[] record = new byte[Math.Min(size, HeadSize + (uint)nameLimit)];
                return Parse(record.AsSpan(0, memory.Read(imageBase + rva, record)));
            }
        }

        return null;
    }
}
