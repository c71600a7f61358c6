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

    /// <summary>xmm0.</summary>
    public const int FirstFloat = 0x1A0;

    /// <summary>What FXSAVE writes (XMM_SAVE_AREA32).</summary>
    public const int FloatSave = 0x100;

    public const int FloatSaveBytes = 512;

    /// <summary>mxcsr, which is never 0 in a thread that runs.</summary>
    public const int FloatControl = 0x118;

    /// <summary>The registers for floating-point numbers of the frame that a thread is in; null where they are not in the input.</summary>
    public static byte[]? Floats(IDataReader reader, uint thread, ulong ip)
        => Whole(reader, thread, ip)?[FirstFloat..(FirstFloat + (FloatCount * FloatBytes))];

    /// <summary>
    /// All registers, flags and floating-point ones too, of a thread that is at that instruction; null where not all are in the input.
    /// What the runtime gives for a frame is without the flags.
    /// </summary>
    public static byte[]? Whole(IDataReader reader, uint thread, ulong ip)
        => ThreadRegisters.ContextOf(reader, thread) is { Length: Size } context
            && BitConverter.ToUInt64(context, Rip) == ip && BitConverter.ToUInt32(context, FloatControl) != 0
                ? context
                : null;
}
