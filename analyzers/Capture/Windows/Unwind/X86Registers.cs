using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Unwind;

/// <summary>What is needed of an x86 CONTEXT (winnt.h).</summary>
internal readonly record struct X86Registers(uint Eip, uint Esp, uint Ebp)
{
    /// <summary>The part of CONTEXT that is needed: up to and with Esp.</summary>
    public const int ContextSize = 0xC8;

    private const uint HasControl = 0x10001;

    /// <summary>False where the record is too short or has no control registers.</summary>
    public static bool TryParse(ReadOnlySpan<byte> context, out X86Registers registers)
    {
        if (context.Length < ContextSize || (BinaryPrimitives.ReadUInt32LittleEndian(context) & HasControl) != HasControl)
        {
            registers = default;
            return false;
        }

        registers = new X86Registers(
            BinaryPrimitives.ReadUInt32LittleEndian(context[0xB8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(context[0xC4..]),
            BinaryPrimitives.ReadUInt32LittleEndian(context[0xB4..]));
        return true;
    }
}
