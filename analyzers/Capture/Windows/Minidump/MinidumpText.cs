using System.Buffers.Binary;
using System.Runtime.InteropServices;
using HangTriage.Capture.Files;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>MINIDUMP_STRING: a 32-bit length in bytes and UTF-16 text.</summary>
internal static class MinidumpText
{
    /// <summary>The text, cut to so many characters and up to its first NUL; not yet cleaned.</summary>
    public static bool TryRead(MappedFile file, ulong rva, int maxLength, out string text)
    {
        text = "";
        Span<byte> head = stackalloc byte[sizeof(uint)];
        if (rva == 0 || !file.TryRead(rva, head))
        {
            return false;
        }

        uint size = BinaryPrimitives.ReadUInt32LittleEndian(head);
        int length = (int)Math.Min(size / sizeof(char), (uint)maxLength);
        char[] characters = new char[length];
        int read = file.Read(rva + sizeof(uint), MemoryMarshal.AsBytes(characters.AsSpan()));
        if (read < length * sizeof(char))
        {
            return false;
        }

        if (!BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(
                MemoryMarshal.Cast<char, ushort>(characters), MemoryMarshal.Cast<char, ushort>(characters.AsSpan()));
        }

        int end = Array.IndexOf(characters, '\0');
        text = new string(characters, 0, end < 0 ? length : end);
        return true;
    }
}
