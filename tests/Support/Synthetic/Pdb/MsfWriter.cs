using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>
/// Writes the container of a PDB. Blocks of a stream are laid out backwards, so that a reader which takes them for one
/// piece is seen.
/// </summary>
internal static class MsfWriter
{
    private const int FirstBlock = 3; // behind the superblock and the two free-block maps

    /// <param name="streams">Contents by number; null for a stream that does not exist.</param>
    /// <param name="blockSize">A power of two.</param>
    public static byte[] Encode(IReadOnlyList<byte[]?> streams, int blockSize)
    {
        List<byte[]> blocks = [];
        ByteWriter directory = new();
        directory.U32((uint)streams.Count);
        foreach (byte[]? stream in streams)
        {
            directory.U32(stream is null ? uint.MaxValue : (uint)stream.Length);
        }

        foreach (byte[]? stream in streams)
        {
            foreach (uint block in Place(blocks, stream ?? [], blockSize))
            {
                directory.U32(block);
            }
        }

        ByteWriter map = new();
        Place(blocks, directory.ToArray(), blockSize).ForEach(block => map.U32(block));
        uint mapBlock = Place(blocks, map.ToArray(), blockSize)[0];
        ByteWriter file = new();
        file.Bytes(Encoding.Latin1.GetBytes("Microsoft C/C++ MSF 7.00\r\n\x1A")).Bytes("DS\0\0\0"u8);
        file.U32((uint)blockSize).U32(1).U32((uint)(FirstBlock + blocks.Count)).U32((uint)directory.Length).U32(0).U32(mapBlock);
        file.Align(blockSize).Zeros(2 * blockSize);
        blocks.ForEach(block => file.Bytes(block));
        return file.ToArray();
    }

    private static List<uint> Place(List<byte[]> blocks, byte[] bytes, int blockSize)
    {
        int count = (bytes.Length + blockSize - 1) / blockSize;
        uint first = (uint)(FirstBlock + blocks.Count);
        List<uint> numbers = [];
        for (int i = 0; i < count; i++)
        {
            byte[] block = new byte[blockSize];
            ReadOnlySpan<byte> part = bytes.AsSpan((count - 1 - i) * blockSize);
            part[..Math.Min(blockSize, part.Length)].CopyTo(block);
            blocks.Add(block);
            numbers.Insert(0, first + (uint)i);
        }

        return numbers;
    }
}
