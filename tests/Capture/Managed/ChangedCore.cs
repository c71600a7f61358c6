using System.Buffers.Binary;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>A core in which words of the process have other values.</summary>
internal static class ChangedCore
{
    private const int HeaderSize = 64;
    private const int EntrySize = 56;
    private const uint Loaded = 1;

    /// <summary>Copies the core, and writes the words where its program headers say that their memory is.</summary>
    public static void Write(string from, string to, params (ulong Address, ulong Value)[] words)
    {
        File.Copy(from, to);
        using FileStream file = File.Open(to, FileMode.Open, FileAccess.ReadWrite);
        byte[] header = new byte[HeaderSize];
        file.ReadExactly(header);
        byte[] segments = new byte[EntrySize * BitConverter.ToUInt16(header, 56)];
        file.Position = BitConverter.ToInt64(header, 32);
        file.ReadExactly(segments);
        byte[] bytes = new byte[sizeof(ulong)];
        foreach ((ulong address, ulong value) in words)
        {
            int at = Enumerable.Range(0, segments.Length / EntrySize)
                .Select(i => i * EntrySize)
                .Single(i => BitConverter.ToUInt32(segments, i) == Loaded
                    && address - BitConverter.ToUInt64(segments, i + 16) < BitConverter.ToUInt64(segments, i + 32));
            file.Position = BitConverter.ToInt64(segments, at + 8) + (long)(address - BitConverter.ToUInt64(segments, at + 16));
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
            file.Write(bytes);
        }
    }
}
