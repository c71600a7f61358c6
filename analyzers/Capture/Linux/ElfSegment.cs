namespace HangTriage.Capture.Linux;

/// <summary>A program header.</summary>
/// <param name="Type">p_type.</param>
/// <param name="FileOffset">Where its contents start in the file.</param>
/// <param name="Address">Where it lies in memory.</param>
/// <param name="FileSize">Bytes of its contents in the file.</param>
/// <param name="MemorySize">Bytes that it takes in memory.</param>
internal sealed record ElfSegment(uint Type, ulong FileOffset, ulong Address, ulong FileSize, ulong MemorySize)
{
    public const uint Load = 1;
    public const uint Note = 4;

    private const uint Write = 2;

    /// <summary>p_flags.</summary>
    public uint Flags { get; init; }

    /// <summary>The process may write to it.</summary>
    public bool IsWritable => (Flags & Write) != 0;
}
