using System.Buffers.Binary;

namespace HangTriage.Traces.Etl;

/// <summary>Unpacks plain LZ77 of [MS-XCA] 2.4, which Windows calls XPRESS.</summary>
internal static class Xpress
{
    private const int FlagBits = 32;
    private const int LengthBits = 3;
    private const int ShortLength = 7;
    private const int NibbleLength = 15;
    private const int ByteLength = 255;
    private const int SmallestMatch = 3;

    /// <summary>Unpacks until the target is full or the source ends.</summary>
    /// <returns>The bytes that were written; -1 where the source refers to what is not there.</returns>
    public static int Unpack(ReadOnlySpan<byte> source, Span<byte> target)
    {
        int at = 0;
        int written = 0;
        int nibble = -1;
        uint flags = 0;
        for (int left = 0; written < target.Length; left--)
        {
            if (left == 0)
            {
                if (at + sizeof(uint) > source.Length)
                {
                    break;
                }

                flags = BinaryPrimitives.ReadUInt32LittleEndian(source[at..]);
                at += sizeof(uint);
                left = FlagBits;
            }

            bool isMatch = (flags & (1u << (left - 1))) != 0;
            if (at + (isMatch ? sizeof(ushort) : 1) > source.Length)
            {
                break;
            }

            if (!isMatch)
            {
                target[written++] = source[at++];
            }
            else if (!Match(source, ref at, ref nibble, target, ref written))
            {
                return -1;
            }
        }

        return written;
    }

    private static bool Match(ReadOnlySpan<byte> source, ref int at, ref int nibble, Span<byte> target, ref int written)
    {
        int match = BinaryPrimitives.ReadUInt16LittleEndian(source[at..]);
        at += sizeof(ushort);
        int offset = (match >> LengthBits) + 1;
        long length = match & ShortLength;
        if ((length == ShortLength && !LongLength(source, ref at, ref nibble, out length)) || offset > written)
        {
            return false;
        }

        written += Copy(target, written, offset, length + SmallestMatch);
        return true;
    }

    /// <summary>A length that does not fit into its three bits: half a byte, then a byte, then two, then four.</summary>
    private static bool LongLength(ReadOnlySpan<byte> source, ref int at, ref int nibble, out long length)
    {
        length = 0;
        if (nibble < 0 && at >= source.Length)
        {
            return false;
        }

        int half = nibble < 0 ? source[at] & 0xF : source[nibble] >> 4;
        nibble = nibble < 0 ? at++ : -1;
        length = half;
        if (half == NibbleLength && !BytesOfLength(source, ref at, out length))
        {
            return false;
        }

        length += ShortLength;
        return true;
    }

    private static bool BytesOfLength(ReadOnlySpan<byte> source, ref int at, out long length)
    {
        length = 0;
        if (at >= source.Length)
        {
            return false;
        }

        length = source[at++];
        if (length < ByteLength)
        {
            length += NibbleLength;
            return true;
        }

        if (at + sizeof(ushort) > source.Length)
        {
            return false;
        }

        length = BinaryPrimitives.ReadUInt16LittleEndian(source[at..]);
        at += sizeof(ushort);
        if (length == 0)
        {
            if (at + sizeof(uint) > source.Length)
            {
                return false;
            }

            length = BinaryPrimitives.ReadUInt32LittleEndian(source[at..]);
            at += sizeof(uint);
        }

        length -= ShortLength;
        return length >= NibbleLength;
    }

    private static int Copy(Span<byte> target, int written, int offset, long length)
    {
        int count = (int)Math.Min(length, target.Length - written);
        if (offset >= count)
        {
            target.Slice(written - offset, count).CopyTo(target[written..]);
        }
        else
        {
            for (int i = 0; i < count; i++)
            {
                target[written + i] = target[written + i - offset];
            }
        }

        return count;
    }
}
