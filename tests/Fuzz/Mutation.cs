using System.Buffers.Binary;

namespace HangTriage.Tests.Fuzz;

/// <summary>Damages a minidump in a way that its seed alone decides.</summary>
internal static class Mutation
{
    private const int HeaderSize = 32;
    private const int EntrySize = 12;

    private static readonly uint[] s_extremes =
        [0, 1, 2, 7, 0xFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF];

    public static byte[] Apply(byte[] original, int seed)
    {
        Random random = new(seed);
        byte[] bytes = (byte[])original.Clone();
        int rounds = 1 + random.Next(4);
        for (int i = 0; i < rounds && bytes.Length > HeaderSize; i++)
        {
            bytes = Once(bytes, random);
        }

        return bytes;
    }

    private static byte[] Once(byte[] bytes, Random random)
    {
        switch (random.Next(8))
        {
            case 0:
                for (int i = random.Next(1, 64); i > 0; i--)
                {
                    bytes[random.Next(4, bytes.Length)] ^= (byte)(1 << random.Next(8));
                }

                return bytes;
            case 1:
                return bytes[..random.Next(bytes.Length)];
            case 2: // a count, size or offset at the start of a stream
                SetField(bytes, StreamField(bytes, random), random);
                return bytes;
            case 3: // a size or offset of the directory
                SetField(bytes, Entry(bytes, random) + 4 + (4 * random.Next(2)), random);
                return bytes;
            case 4: // two streams at one place
                bytes.AsSpan(Math.Min(Entry(bytes, random) + 4, bytes.Length - 8), 8).CopyTo(bytes.AsSpan(Math.Min(Entry(bytes, random) + 4, bytes.Length - 8)));
                return bytes;
            case 5: // any field anywhere
                SetField(bytes, random.Next(bytes.Length), random);
                return bytes;
            case 6:
                int from = random.Next(bytes.Length);
                int size = random.Next(Math.Min(4096, bytes.Length - from));
                bytes.AsSpan(from, size).CopyTo(bytes.AsSpan(random.Next(bytes.Length - size)));
                return bytes;
            default:
                int start = random.Next(4, bytes.Length);
                bytes.AsSpan(start, random.Next(Math.Min(2048, bytes.Length - start))).Fill((byte)(random.Next(3) * 0x7F));
                return bytes;
        }
    }

    private static void SetField(byte[] bytes, int offset, Random random)
    {
        int at = Math.Clamp(offset, 4, bytes.Length - 4);
        uint value = random.Next(4) switch
        {
            0 => s_extremes[random.Next(s_extremes.Length)],
            1 => (uint)random.Next(bytes.Length + 1),
            2 => (uint)random.NextInt64(1L << 32),
            _ => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at)) + (uint)random.Next(-8, 9),
        };
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(at), value);
    }

    private static int Entry(byte[] bytes, Random random)
    {
        int count = (int)Math.Clamp(BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)), 1, 32);
        uint directory = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(12));
        return (int)Math.Min(directory + (random.Next(count) * EntrySize), bytes.Length - EntrySize);
    }

    private static int StreamField(byte[] bytes, Random random)
    {
        int entry = Math.Max(0, Entry(bytes, random));
        uint rva = BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(entry + 8));
        return (int)Math.Min(rva + (4 * random.Next(32)), bytes.Length - 4);
    }
}
