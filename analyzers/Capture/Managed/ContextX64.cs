using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>CONTEXT of winnt.h for x64, in which the readers of every system give registers: offsets in bytes.</summary>
internal static class ContextX64
{
    public const int Size = 1232;

    public const int Flags = 0x44;

    /// <summary>rax, the first of the sixteen general registers, which stand in the order of their numbers in instructions.</summary>
    public const int General = 0x78;

    public const int GeneralCount = 16;

    public const int Rbp = 0xA0;

    public const int Rip = 0xF8;

    /// <summary>Of one of the registers for floating-point numbers: xmm0 to xmm15.</summary>
    public const int FloatBytes = 16;

    public const int FloatCount = 16;

    // XSAVE_FORMAT within CONTEXT: mxcsr, which is never 0 in a thread that runs, and xmm0.
    private const int FloatControl = 0x118;
    private const int FirstFloat = 0x1A0;

    /// <summary>The registers for floating-point numbers of the frame that a thread is in; null where they are not in the input.</summary>
    public static byte[]? Floats(IDataReader reader, uint thread, ulong ip)
        => ThreadRegisters.ContextOf(reader, thread) is { Length: Size } context
            && BitConverter.ToUInt64(context, Rip) == ip && BitConverter.ToUInt32(context, FloatControl) != 0
                ? context[FirstFloat..(FirstFloat + (FloatCount * FloatBytes))]
                : null;
}
