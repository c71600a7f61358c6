namespace HangTriage.Tests.Support.Synthetic.Traces;

/// <summary>Packs as [MS-XCA] 2.3 says (plain LZ77, which Windows calls XPRESS): the nearest match of three bytes, as long as it goes.</summary>
public static class PlainLz77
{
    private const int Window = 8192;
    private const int Smallest = 3;

    public static byte[] Pack(ReadOnlySpan<byte> source)
    {
        List<byte> packed = [];
        Dictionary<int, int> last = [];
        uint flags = 0;
        int flagCount = 0;
        int flagsAt = Reserve(packed);
        int nibbleAt = -1;
        int at = 0;
        while (at < source.Length)
        {
            int length = Match(source, at, last, out int from);
            if (length >= Smallest)
            {
                nibbleAt = AddMatch(packed, at - from, length, nibbleAt);
                for (int end = at + length; at < end; at++)
                {
                    Note(source, at, last);
                }

                flags = (flags << 1) | 1;
            }
            else
            {
                Note(source, at, last);
                packed.Add(source[at++]);
                flags <<= 1;
            }

            if (++flagCount == 32)
            {
                Put(packed, flagsAt, flags);
                (flags, flagCount) = (0, 0);
                flagsAt = Reserve(packed);
            }
        }

        // Bits that stand for nothing are set.
        Put(packed, flagsAt, flagCount == 0 ? uint.MaxValue : (flags << (32 - flagCount)) | (uint)((1L << (32 - flagCount)) - 1));
        return [.. packed];
    }

    private static int Match(ReadOnlySpan<byte> source, int at, Dictionary<int, int> last, out int from)
    {
        from = -1;
        if (at + Smallest > source.Length || !last.TryGetValue(Key(source, at), out from) || at - from > Window)
        {
            return 0;
        }

        int length = 0;
        while (at + length < source.Length && source[from + length] == source[at + length])
        {
            length++;
        }

        return length;
    }

    private static void Note(ReadOnlySpan<byte> source, int at, Dictionary<int, int> last)
    {
        if (at + Smallest <= source.Length)
        {
            last[Key(source, at)] = at;
        }
    }

    private static int Key(ReadOnlySpan<byte> source, int at) => source[at] | (source[at + 1] << 8) | (source[at + 2] << 16);

    private static int AddMatch(List<byte> packed, int distance, int length, int nibbleAt)
    {
        int rest = length - 3;
        int low = Math.Min(rest, 7);
        int word = ((distance - 1) << 3) | low;
        packed.Add((byte)word);
        packed.Add((byte)(word >> 8));
        if (low < 7)
        {
            return nibbleAt;
        }

        rest -= 7;
        int nibble = Math.Min(rest, 15);
        if (nibbleAt < 0)
        {
            nibbleAt = packed.Count;
            packed.Add((byte)nibble);
        }
        else
        {
            packed[nibbleAt] |= (byte)(nibble << 4);
            nibbleAt = -1;
        }

        if (nibble == 15)
        {
            AddLong(packed, rest - 15, length - 3);
        }

        return nibbleAt;
    }

    private static void AddLong(List<byte> packed, int rest, int whole)
    {
        if (rest < 255)
        {
            packed.Add((byte)rest);
            return;
        }

        packed.Add(255);
        packed.Add((byte)(whole < 65536 ? whole : 0));
        packed.Add((byte)(whole < 65536 ? whole >> 8 : 0));
        if (whole >= 65536)
        {
            packed.AddRange(BitConverter.GetBytes(whole));
        }
    }

    private static int Reserve(List<byte> packed)
    {
        packed.AddRange([0, 0, 0, 0]);
        return packed.Count - 4;
    }

    private static void Put(List<byte> packed, int at, uint value)
    {
        for (int i = 0; i < 4; i++)
        {
            packed[at + i] = (byte)(value >> (8 * i));
        }
    }
}
