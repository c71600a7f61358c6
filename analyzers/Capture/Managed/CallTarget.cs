using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Where the x64 call before a return address leads to.</summary>
internal static class CallTarget
{
    private const int DirectSize = 5;
    private const int IndirectSize = 6;
    private const int RegisterSize = 12;

    /// <summary>Null where no call with a fixed target stands there.</summary>
    public static ulong? Of(IMemoryReader reader, ulong returnAddress)
    {
        Span<byte> whole = stackalloc byte[RegisterSize];

        // mov rax, n; call rax.
        if (returnAddress >= RegisterSize && reader.Read(returnAddress - RegisterSize, whole) == RegisterSize
            && whole is [0x48, 0xB8, .., 0xFF, 0xD0])
        {
            return BinaryPrimitives.ReadUInt64LittleEndian(whole[2..]);
        }

        Span<byte> code = stackalloc byte[IndirectSize];
        if (returnAddress < IndirectSize || reader.Read(returnAddress - IndirectSize, code) != IndirectSize)
        {
            return null;
        }

        ulong relative = unchecked(returnAddress + (ulong)BinaryPrimitives.ReadInt32LittleEndian(code[(IndirectSize - sizeof(int))..]));

        // call [rip + n], and call n.
        return code is [0xFF, 0x15, ..] ? reader.ReadPointer(relative, out ulong target) ? target : null
            : code[IndirectSize - DirectSize] == 0xE8 ? relative
            : null;
    }
}
