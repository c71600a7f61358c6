namespace HangTriage.Tests.Support.Synthetic;

/// <summary>The CONTEXT record of an x64 thread: 1232 bytes.</summary>
public static class ContextAmd64
{
    public const int Size = 0x4D0;

    // CONTEXT_AMD64 with control, integer, segments and floating point.
    private const uint Flags = 0x0010_000F;
    private const ushort UserCodeSegment = 0x33;
    private const ushort UserDataSegment = 0x2B;
    private const ushort UserTebSegment = 0x53;

    /// <param name="registers">The sixteen general registers by <see cref="Register"/>.</param>
    /// <param name="rip">The instruction pointer.</param>
    /// <param name="xmm">Low and high half of xmm0 and up; fewer than 16 leave the rest zero.</param>
    public static byte[] Create(ReadOnlySpan<ulong> registers, ulong rip, ReadOnlySpan<UInt128> xmm = default)
    {
        SyntheticMemory context = new(0, Size);
        context.U32(0x30, Flags).U32(0x34, 0x1F80);
        context.U16(0x38, UserCodeSegment).U16(0x3A, UserDataSegment).U16(0x3C, UserDataSegment);
        context.U16(0x3E, UserTebSegment).U16(0x40, UserDataSegment).U16(0x42, UserDataSegment);
        context.U32(0x44, 0x246);
        for (int register = 0; register < registers.Length; register++)
        {
            context.U64(0x78 + (8 * register), registers[register]);
        }

        context.U64(0xF8, rip);
        WriteFloatingPoint(context, xmm);
        return context.Bytes;
    }

    // The XMM_SAVE_AREA32 at 0x100: control word, MXCSR and its mask, then x87 registers, then the xmm registers.
    private static void WriteFloatingPoint(SyntheticMemory context, ReadOnlySpan<UInt128> xmm)
    {
        context.U16(0x100, 0x27F).U32(0x118, 0x1F80).U32(0x11C, 0xFFFF);
        for (int register = 0; register < xmm.Length; register++)
        {
            context.U64(0x1A0 + (16 * register), (ulong)xmm[register]);
            context.U64(0x1A8 + (16 * register), (ulong)(xmm[register] >> 64));
        }
    }
}
