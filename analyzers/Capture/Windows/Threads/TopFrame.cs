using System.Buffers.Binary;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Threads;

/// <summary>The instruction and stack pointer in a CONTEXT record (winnt.h) of each architecture.</summary>
internal static class TopFrame
{
    /// <summary>Enough of every architecture's record: the x64 one up to Rip, the ARM64 one up to Pc.</summary>
    public const int ContextSize = 0x110;

    private const uint HasControl = 1;

    /// <summary>False where the record is too short, of another architecture, or has no control registers.</summary>
    public static bool TryRead(TargetArchitecture architecture, ReadOnlySpan<byte> context, out ulong ip, out ulong sp)
    {
        (int flags, uint mark, int ipOffset, int spOffset, int width) = architecture switch
        {
            TargetArchitecture.X86 => (0, 0x10000u, 0xB8, 0xC4, 4),
            TargetArchitecture.X64 => (0x30, 0x100000u, 0xF8, 0x98, 8),
            TargetArchitecture.Arm => (0, 0x200000u, 0x40, 0x38, 4),
            _ => (0, 0x400000u, 0x108, 0x100, 8),
        };
        ip = 0;
        sp = 0;
        if (context.Length < Math.Max(ipOffset, spOffset) + width
            || (BinaryPrimitives.ReadUInt32LittleEndian(context[flags..]) & (mark | HasControl)) != (mark | HasControl))
        {
            return false;
        }

        ip = Word(context[ipOffset..], width);
        sp = Word(context[spOffset..], width);
        return true;
    }

    private static ulong Word(ReadOnlySpan<byte> bytes, int width)
        => width == 4 ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : BinaryPrimitives.ReadUInt64LittleEndian(bytes);
}
