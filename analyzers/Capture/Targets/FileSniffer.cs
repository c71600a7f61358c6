using System.Buffers.Binary;
using System.Text;

namespace HangTriage.Capture.Targets;

/// <summary>Recognises files by their content, never by their name.</summary>
internal static class FileSniffer
{
    /// <summary>How much of a file's start is looked at, in bytes.</summary>
    public const int HeadSize = 1024;

    /// <summary>Formats of one other file.</summary>
    private static readonly (byte[] Start, FileContent Format)[] s_packed =
    [
        ([0x1F, 0x8B], FileContent.Gzip),
        ("PK\x03\x04"u8.ToArray(), FileContent.Zip),
        ([0x28, 0xB5, 0x2F, 0xFD], FileContent.Zstd),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], FileContent.Xz),
        ([0x04, 0x22, 0x4D, 0x18], FileContent.Lz4),
    ];

    /// <summary>Formats that are known and not read, and what to say of them.</summary>
    private static readonly (byte[] Start, string Refusal)[] s_refused =
    [
        ("PAGEDU64"u8.ToArray(), "a kernel dump; hangs of a single process need a dump of that process"),
        ("PAGEDUMP"u8.ToArray(), "a kernel dump; hangs of a single process need a dump of that process"),
        ("USERDU64"u8.ToArray(), "a user dump of the format before minidumps, which is not read"),
        ("USERDUMP"u8.ToArray(), "a user dump of the format before minidumps, which is not read"),
        ("Nettrace"u8.ToArray(), "a trace (.nettrace), not a dump"),
        ("PERFILE2"u8.ToArray(), "a trace of Linux perf, not a dump"),
        ("BZh"u8.ToArray(), "compressed with bzip2; unpack it first"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive; unpack it first"),
        ("MSCF"u8.ToArray(), "a cabinet archive; unpack it first"),
        ("Rar!"u8.ToArray(), "a RAR archive; unpack it first"),
        ("MZ"u8.ToArray(), "a Windows program, not a dump"),
        ([0xCF, 0xFA, 0xED, 0xFE], "a macOS program or core; those are not read"),
        ("PK\x05\x06"u8.ToArray(), "an empty zip archive"),
    ];

    /// <param name="head">The file's first bytes, up to <see cref="HeadSize"/>.</param>
    /// <param name="refusal">For <see cref="FileContent.Other"/>: what it is, in one line.</param>
    public static FileContent Sniff(ReadOnlySpan<byte> head, out string refusal)
    {
        refusal = "";
        if (PackingOf(head) is { } packed)
        {
            return packed;
        }

        if (head.StartsWith("MDMP"u8))
        {
            return FileContent.Minidump;
        }

        if (head.StartsWith("\x7F"u8) && head[1..].StartsWith("ELF"u8))
        {
            return SniffElf(head, out refusal);
        }

        foreach ((byte[] start, string text) in s_refused)
        {
            if (head.StartsWith(start))
            {
                refusal = text;
                return FileContent.Other;
            }
        }

        ReadOnlySpan<byte> text8 = head.StartsWith("\uFEFF"u8) ? head[3..] : head;
        if (text8.TrimStart(" \t\r\n"u8) is { IsEmpty: false } trimmed && trimmed[0] == '{')
        {
            return FileContent.Json;
        }

        refusal = DescribeOther(head);
        return FileContent.Other;
    }

    /// <summary>Null where it is not packed.</summary>
    public static FileContent? PackingOf(ReadOnlySpan<byte> head)
    {
        // It begins with the name of a file, which can be that of any other format.
        if (TarContent.Is(head))
        {
            return FileContent.Tar;
        }

        foreach ((byte[] start, FileContent format) in s_packed)
        {
            if (head.Length > start.Length && head.StartsWith(start))
            {
                return format;
            }
        }

        return null;
    }

    private static FileContent SniffElf(ReadOnlySpan<byte> head, out string refusal)
    {
        const int TypeOffset = 16;
        const ushort Core = 4;
        bool isBigEndian = head.Length > 5 && head[5] == 2;
        ushort type = head.Length < TypeOffset + 2 ? (ushort)0
            : isBigEndian ? BinaryPrimitives.ReadUInt16BigEndian(head[TypeOffset..])
            : BinaryPrimitives.ReadUInt16LittleEndian(head[TypeOffset..]);
        refusal = type == Core ? "" : "a Linux program or library (ELF), not a core";
        return type == Core ? FileContent.ElfCore : FileContent.Other;
    }

    private static string DescribeOther(ReadOnlySpan<byte> head)
    {
        if (IsEtl(head))
        {
            return "a trace (.etl), not a dump";
        }

        if (IsText(head))
        {
            return head.IndexOf("BEGIN BREAKPAD MICRODUMP"u8) >= 0
                ? "a Breakpad microdump (text), not a dump of a Windows process"
                : "a text file, not a dump";
        }

        StringBuilder start = new("not a dump of a known kind: it starts with");
        foreach (byte b in head[..Math.Min(8, head.Length)])
        {
            start.Append(' ').Append(b.ToString("X2", System.Globalization.CultureInfo.InvariantCulture));
        }

        return start.ToString();
    }

    /// <summary>A WMI_BUFFER_HEADER of 0x48 bytes, type 4 (header), followed by a system event (marker 0xC0).</summary>
    private static bool IsEtl(ReadOnlySpan<byte> head)
        => head.Length > 0x4C
            && BinaryPrimitives.ReadUInt32LittleEndian(head) is >= 0x400 and <= 0x4000000
            && BinaryPrimitives.ReadUInt16LittleEndian(head[0x36..]) == 4
            && (head[0x4B] & 0xC0) == 0xC0;

    private static bool IsText(ReadOnlySpan<byte> head)
    {
        ReadOnlySpan<byte> text = head;
        foreach (byte b in text)
        {
            if (b is < 0x20 and not ((byte)'\t' or (byte)'\r' or (byte)'\n' or 0x1B or 0x0C))
            {
                return false;
            }
        }

        return true;
    }
}
