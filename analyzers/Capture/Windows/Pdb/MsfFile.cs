using System.Buffers.Binary;
using System.Runtime.InteropServices;
using HangTriage.Capture.Files;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>
/// The container of a PDB: numbered streams, scattered over blocks ("The MSF File Format" of the LLVM project, which
/// follows the vendor's microsoft-pdb). The directory alone is read; the rest stays in the mapped file.
/// </summary>
internal sealed class MsfFile
{
    private const int SuperBlockSize = 56;
    private const int MaxStreams = 65_536; // stream numbers have 16 bits
    private const uint MaxDirectorySize = 64 << 20;
    private const uint SmallestBlock = 512;
    private const uint LargestBlock = 65_536;
    private const uint NoStream = uint.MaxValue;

    private readonly MappedFile _file;
    private readonly uint _blockSize;
    private readonly uint[] _directory; // count, sizes, then the block numbers of each stream
    private readonly int[] _firstBlocks; // of each stream, in the directory

    private MsfFile(MappedFile file, uint blockSize, uint[] directory, int[] firstBlocks)
    {
        _file = file;
        _blockSize = blockSize;
        _directory = directory;
        _firstBlocks = firstBlocks;
    }

    /// <summary>Null where the file is no MSF file of version 7.00, or its directory is not in it whole.</summary>
    public static MsfFile? Open(MappedFile file)
    {
        Span<byte> head = stackalloc byte[SuperBlockSize];
        if (!file.TryRead(0, head) || !head.StartsWith("Microsoft C/C++ MSF 7.00\r\n\x1A\x44S\0\0\0"u8))
        {
            return null;
        }

        uint blockSize = BinaryPrimitives.ReadUInt32LittleEndian(head[32..]);
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(head[44..]);
        uint mapBlock = BinaryPrimitives.ReadUInt32LittleEndian(head[52..]);
        if (blockSize is < SmallestBlock or > LargestBlock
            || (blockSize & (blockSize - 1)) != 0
            || size < sizeof(uint) || size > MaxDirectorySize || size > file.Length
            || !TryReadWords((at, buffer) => file.TryRead(((ulong)mapBlock * blockSize) + at, buffer), Blocks(size, blockSize), out uint[] map)
            || !TryReadWords(new MsfStream(file, blockSize, map, size).TryRead, size / sizeof(uint), out uint[] directory)
            || FirstBlocks(directory, blockSize) is not { } firstBlocks)
        {
            return null;
        }

        return new MsfFile(file, blockSize, directory, firstBlocks);
    }

    /// <summary>Null where there is no such stream.</summary>
    public MsfStream? Stream(int number)
    {
        if (number >= _firstBlocks.Length || _directory[1 + number] is var length && length is 0 or NoStream)
        {
            return null;
        }

        ReadOnlyMemory<uint> blocks = _directory.AsMemory(_firstBlocks[number], (int)Blocks(length, _blockSize));
        return new MsfStream(_file, _blockSize, blocks, length);
    }

    private static uint Blocks(uint size, uint blockSize) => (uint)(((ulong)size + blockSize - 1) / blockSize);

    private static int[]? FirstBlocks(uint[] directory, uint blockSize)
    {
        if (directory[0] > Math.Min(MaxStreams, directory.Length - 1))
        {
            return null;
        }

        int[] first = new int[directory[0]];
        ulong next = 1 + (ulong)first.Length;
        for (int i = 0; i < first.Length; i++)
        {
            first[i] = (int)next;
            uint size = directory[1 + i];
            next += size == NoStream ? 0 : Blocks(size, blockSize);
            if (next > (ulong)directory.Length)
            {
                return null;
            }
        }

        return first;
    }

    private static bool TryReadWords(ReadBytes read, uint count, out uint[] words)
    {
        words = new uint[count];
        bool isRead = read(0, MemoryMarshal.AsBytes(words.AsSpan()));
        if (!BitConverter.IsLittleEndian)
        {
            BinaryPrimitives.ReverseEndianness(words, words);
        }

        return isRead;
    }

    private delegate bool ReadBytes(ulong offset, Span<byte> buffer);
}
