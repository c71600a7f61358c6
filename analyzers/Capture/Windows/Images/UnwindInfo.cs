using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// UNWIND_INFO of an x64 function ("x64 exception handling" in the vendor's ABI pages): four bytes of header, the
/// codes of the prolog, then either the chained entry or a handler, which is not read.
/// </summary>
internal readonly ref struct UnwindInfo
{
    /// <summary>Header, 255 codes, padding to 4 bytes and a chained entry.</summary>
    public const int MaxSize = HeaderSize + (256 * sizeof(ushort)) + FunctionEntry.Size;

    private const int HeaderSize = 4;
    private const byte ChainedFlag = 4;

    private readonly ReadOnlySpan<byte> _bytes;

    private UnwindInfo(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    public int Version => _bytes[0] & 7;

    public bool IsChained => (_bytes[0] >> 3 & ChainedFlag) != 0;

    /// <summary>In bytes from the function's begin.</summary>
    public byte PrologSize => _bytes[1];

    public int CodeCount => _bytes[2];

    /// <summary>0 where the function has no frame register.</summary>
    public int FrameRegister => _bytes[3] & 15;

    /// <summary>What the frame register lies above the stack pointer of the prolog, in bytes.</summary>
    public uint FrameOffset => (uint)(_bytes[3] >> 4) * 16;

    /// <summary>The entry that continues with this one's unwinding; only where <see cref="IsChained"/>.</summary>
    public FunctionEntry Chained => FunctionTable.Parse(_bytes[ChainOffset(CodeCount)..]);

    public UnwindCode Code(int index) => new(_bytes[HeaderSize + (index * 2)], _bytes[HeaderSize + (index * 2) + 1]);

    /// <summary>The slot as a 16-bit operand of the code before it; 0 behind the last one.</summary>
    public uint Operand(int index)
        => index < CodeCount ? (uint)(_bytes[HeaderSize + (index * 2)] | (_bytes[HeaderSize + (index * 2) + 1] << 8)) : 0;

    /// <param name="memory">The target's memory.</param>
    /// <param name="address">Where the structure lies.</param>
    /// <param name="buffer">Space of <see cref="MaxSize"/> bytes, which the result refers to.</param>
    /// <param name="info">The structure where it was read.</param>
    public static UnwindInfoRead TryRead(TargetMemory memory, ulong address, Span<byte> buffer, out UnwindInfo info)
    {
        info = default;
        if (!memory.TryRead(address, buffer[..HeaderSize]))
        {
            return UnwindInfoRead.Missing;
        }

        UnwindInfo header = new(buffer);
        if (header.Version is not (1 or 2))
        {
            return UnwindInfoRead.UnknownVersion;
        }

        int size = header.IsChained ? ChainOffset(header.CodeCount) + FunctionEntry.Size : HeaderSize + (header.CodeCount * 2);
        if (!memory.TryRead(address, buffer[..size]))
        {
            return UnwindInfoRead.Missing;
        }

        info = new UnwindInfo(buffer[..size]);
        return UnwindInfoRead.Done;
    }

    private static int ChainOffset(int codes) => HeaderSize + ((codes + 1 & ~1) * 2);
}
