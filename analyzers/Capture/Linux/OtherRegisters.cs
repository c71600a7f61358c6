using System.Buffers.Binary;
using HangTriage.Capture.Managed;

namespace HangTriage.Capture.Linux;

/// <summary>Registers of a thread in an x64 core that ClrMD's reader leaves out.</summary>
/// <param name="Flags">RFLAGS.</param>
/// <param name="Floats">What FXSAVE writes (elf_fpregset): control words, and the registers for numbers with a fraction.</param>
internal sealed record OtherRegisters(uint Flags, ReadOnlyMemory<byte> Floats)
{
    // elf_prstatus: the thread's id, and the 27 registers of user_regs_struct, the flags among them.
    private const int ThreadIdAt = 32;
    private const int FlagsAt = 112 + (18 * sizeof(ulong));

    /// <param name="status">The note of NT_PRSTATUS that stands before.</param>
    /// <param name="floats">The note of NT_FPREGSET.</param>
    /// <param name="found">By thread.</param>
    public static void ReadX64(ReadOnlySpan<byte> status, ReadOnlyMemory<byte> floats, Dictionary<uint, OtherRegisters> found)
    {
        if (status.Length >= FlagsAt + sizeof(ulong))
        {
            found.TryAdd(ElfFields.U32(status, ThreadIdAt), new OtherRegisters((uint)ElfFields.U64(status, FlagsAt), floats));
        }
    }

    /// <summary>Adds them to a context that is without them.</summary>
    public void AddTo(Span<byte> context)
    {
        if (context.Length >= ContextX64.Size && BinaryPrimitives.ReadUInt32LittleEndian(context[ContextX64.FloatControl..]) == 0
            && Floats.Length >= ContextX64.FloatSaveBytes)
        {
            Floats.Span[..ContextX64.FloatSaveBytes].CopyTo(context[ContextX64.FloatSave..]);
            BinaryPrimitives.WriteUInt32LittleEndian(context[ContextX64.Flags..], Flags);
        }
    }
}
