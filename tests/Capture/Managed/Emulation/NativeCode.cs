using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace HangTriage.Tests.Capture.Managed.Emulation;

/// <summary>
/// Runs instructions on this machine's processor, with registers, flags and some memory from a block and back into it: r15 is its address.
/// </summary>
internal sealed class NativeCode : IDisposable
{
    public const int Vectors = 16 * sizeof(ulong);
    public const int Flags = Vectors + (VectorCount * VectorBytes);
    public const int Scratch = Flags + sizeof(ulong);
    public const int ScratchBytes = 64;
    public const int Bytes = Scratch + ScratchBytes;
    public const int VectorCount = 8;

    private const int VectorBytes = 16;
    private const int CodeBytes = 4096;

    private static readonly AssemblerRegister64[] s_general =
        [rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15];
    private static readonly AssemblerRegisterXMM[] s_vectors = [xmm0, xmm1, xmm2, xmm3, xmm4, xmm5, xmm6, xmm7];
    private static readonly AssemblerRegister64[] s_kept = [rbx, rbp, r12, r13, r14, r15];

    private readonly MemoryMappedFile _memory = MemoryMappedFile.CreateNew(null, 2 * CodeBytes, MemoryMappedFileAccess.ReadWriteExecute);
    private readonly MemoryMappedViewAccessor _view;
    private readonly nint _start;

    public NativeCode(Action<Assembler> code)
    {
        _view = _memory.CreateViewAccessor(0, 2 * CodeBytes, MemoryMappedFileAccess.ReadWriteExecute);
        _start = _view.SafeMemoryMappedViewHandle.DangerousGetHandle();
        Code = Assemble(code, 0);
        byte[] whole = Assemble(asm => Around(asm, code), (ulong)_start);
        Marshal.Copy(whole, 0, _start, whole.Length);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate void Function(nint block);

    /// <summary>The instructions alone.</summary>
    public byte[] Code { get; }

    public ulong Block => (ulong)_start + CodeBytes;

    public byte[] Run(byte[] block)
    {
        byte[] result = new byte[Bytes];
        Marshal.Copy(block, 0, (nint)Block, Bytes);
        Marshal.GetDelegateForFunctionPointer<Function>(_start)((nint)Block);
        Marshal.Copy((nint)Block, result, 0, Bytes);
        return result;
    }

    public void Dispose()
    {
        _view.Dispose();
        _memory.Dispose();
    }

    private static byte[] Assemble(Action<Assembler> code, ulong at)
    {
        Assembler asm = new(64);
        code(asm);
        using MemoryStream stream = new();
        asm.Assemble(new StreamCodeWriter(stream), at);
        return stream.ToArray();
    }

    private static void Around(Assembler asm, Action<Assembler> code)
    {
        foreach (AssemblerRegister64 register in s_kept)
        {
            asm.push(register);
        }

        asm.mov(r15, rdi);
        for (int number = 0; number < VectorCount; number++)
        {
            asm.movups(s_vectors[number], __[r15 + Vectors + (number * VectorBytes)]);
        }

        asm.push(__qword_ptr[r15 + Flags]);
        asm.popfq();
        ForGeneral((register, place) => asm.mov(register, __[r15 + place]));
        code(asm);
        ForGeneral((register, place) => asm.mov(__[r15 + place], register));
        asm.pushfq();
        asm.pop(__qword_ptr[r15 + Flags]);
        for (int number = 0; number < VectorCount; number++)
        {
            asm.movups(__[r15 + Vectors + (number * VectorBytes)], s_vectors[number]);
        }

        foreach (AssemblerRegister64 register in s_kept.Reverse())
        {
            asm.pop(register);
        }

        asm.ret();
    }

    private static void ForGeneral(Action<AssemblerRegister64, int> each)
    {
        for (int number = 0; number < s_general.Length; number++)
        {
            if (s_general[number] != rsp && s_general[number] != r15)
            {
                each(s_general[number], number * sizeof(ulong));
            }
        }
    }
}
