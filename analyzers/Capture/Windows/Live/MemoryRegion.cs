namespace HangTriage.Capture.Windows.Live;

/// <summary>Pages of a process with the same protection.</summary>
/// <param name="Start">Their first byte.</param>
/// <param name="End">Behind their last byte.</param>
/// <param name="AllocationStart">Where the allocation or image starts that they are part of.</param>
/// <param name="Protection">PAGE_ constants of winnt.h.</param>
/// <param name="Kind">MEM_PRIVATE, MEM_MAPPED or MEM_IMAGE of winnt.h.</param>
internal sealed record MemoryRegion(ulong Start, ulong End, ulong AllocationStart, uint Protection, uint Kind)
{
    private const uint Image = 0x1000000;
    private const uint Mapped = 0x40000;
    private const uint NoAccessOrExecuteAlone = 0x01 | 0x10;
    private const uint Writable = 0x04 | 0x08 | 0x40 | 0x80;
    private const uint Guard = 0x100;

    public ulong Size => End - Start;

    public bool IsImage => Kind == Image;

    public bool IsMapped => Kind == Mapped;

    public bool IsReadable => (Protection & (NoAccessOrExecuteAlone | Guard)) == 0 && Protection != 0;

    /// <summary>The process can write it, or gets a page of its own where it does.</summary>
    public bool IsWritable => IsReadable && (Protection & Writable) != 0;
}
