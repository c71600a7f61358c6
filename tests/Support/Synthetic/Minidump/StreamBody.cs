namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The bytes of one stream and what has to be filled in once the rest of the file is laid out.</summary>
internal sealed class StreamBody
{
    private readonly List<(int Offset, SyntheticMemory Memory)> _memoryRvas = [];

    public ByteWriter Bytes { get; } = new();

    /// <summary>Where the number of entries is written; negative if the stream has none.</summary>
    public int CountOffset { get; init; } = -1;

    public bool CountIsWide { get; init; }

    public IReadOnlyList<(int Offset, SyntheticMemory Memory)> MemoryRvas => _memoryRvas;

    /// <summary>Writes a place for the position of a memory block, which is laid out later.</summary>
    public void MemoryRva(SyntheticMemory memory)
    {
        _memoryRvas.Add((Bytes.Length, memory));
        Bytes.U32(0);
    }
}
