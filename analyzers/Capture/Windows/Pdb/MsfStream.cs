using HangTriage.Capture.Files;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>One stream of an MSF file: blocks of the file in the order of a list. Reads beyond its end are short, never an error.</summary>
internal sealed class MsfStream
{
    private readonly MappedFile _file;
    private readonly uint _blockSize;
    private readonly ReadOnlyMemory<uint> _blocks;

    /// <param name="file">The file.</param>
    /// <param name="blockSize">In bytes.</param>
    /// <param name="blocks">Numbers of blocks, enough for <paramref name="length"/>; they may lie.</param>
    /// <param name="length">In bytes.</param>
    public MsfStream(MappedFile file, uint blockSize, ReadOnlyMemory<uint> blocks, uint length)
    {
        _file = file;
        _blockSize = blockSize;
        _blocks = blocks;
        Length = length;
    }

    /// <summary>In bytes.</summary>
    public uint Length { get; }

    /// <summary>Copies what the stream has of the range, up to the first block that is not in the file.</summary>
    public int Read(ulong offset, Span<byte> buffer)
    {
        ReadOnlySpan<uint> blocks = _blocks.Span;
        int wanted = offset < Length ? (int)Math.Min((ulong)buffer.Length, Length - offset) : 0;
        int copied = 0;
        while (copied < wanted)
        {
            ulong at = offset + (ulong)copied;
            ulong within = at % _blockSize;
            int part = (int)Math.Min((ulong)(wanted - copied), _blockSize - within);
            int read = _file.Read(((ulong)blocks[(int)(at / _blockSize)] * _blockSize) + within, buffer.Slice(copied, part));
            copied += read;
            if (read < part)
            {
                break;
            }
        }

        return copied;
    }

    public bool TryRead(ulong offset, Span<byte> buffer) => Read(offset, buffer) == buffer.Length;
}
