using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using HangTriage.Capture.Managed.Emulation;
using HangTriage.Tests.Capture.Linux;
using HangTriage.Tests.Support;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace HangTriage.Tests.Capture.Managed.Emulation;

/// <summary>Each instruction that is emulated leaves the registers, flags and memory that this machine's processor leaves.</summary>
public sealed class CpuTests
{
    private const int Rounds = 200;
    private const uint Carry = 1;
    private const uint Zero = 0x40;
    private const uint All = 0x8C5;
    private const uint CarryAndOverflow = 0x801;
    private const int Rcx = 1;
    private const int R15 = 15;

    private static readonly ulong[] s_edges =
    [
        0, 1, 2, 31, 32, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 1UL << 63,
        ulong.MaxValue,
    ];

    private static readonly double[] s_numbers =
        [0, -0.0, 1, -1.5, 1e300, -1e300, double.NaN, double.PositiveInfinity, 2147483648.5, -9.3e18, 0.1];

    // By name: the instructions, and the flags that the manual defines after them.
    private static readonly Dictionary<string, (Action<Assembler> Code, uint Flags)> s_code = new(StringComparer.Ordinal)
    {
        ["arithmetic of 64 bits"] = (asm => { asm.add(rax, rcx); asm.adc(rdx, rbx); asm.sub(rsi, rdi); asm.sbb(r8, r9); }, All),
        ["arithmetic of 32 bits"] = (asm => { asm.add(eax, ecx); asm.adc(edx, ebx); asm.sub(esi, edi); asm.sbb(r8d, r9d); }, All),
        ["arithmetic of 8 and 16 bits"] = (asm => { asm.add(al, cl); asm.adc(dx, bx); asm.sub(ah, ch); asm.sbb(r8b, r9b); }, All),
        ["compare"] = (asm => asm.cmp(rax, rcx), All),
        ["compare with memory"] = (asm => asm.cmp(__dword_ptr[r15 + NativeCode.Scratch], ecx), All),
        ["logic"] = (asm => { asm.and(rax, rcx); asm.or(edx, ebx); asm.xor(sil, dil); }, All),
        ["test"] = (asm => asm.test(ecx, eax), All),
        ["one more and one less"] = (asm => { asm.inc(eax); asm.dec(rcx); asm.inc(__byte_ptr[r15 + NativeCode.Scratch]); }, All),
        ["negated"] = (asm => { asm.not(rax); asm.neg(ecx); }, All),
        ["shifted left"] = (asm => { asm.shl(rax, cl); asm.shl(edx, 3); }, 0xC5),
        ["shifted right"] = (asm => { asm.shr(rax, cl); asm.shr(edx, 1); }, All),
        ["shifted with the sign"] = (asm => { asm.sar(rax, cl); asm.sar(edx, 1); }, All),
        ["turned"] = (asm => { asm.rol(rax, cl); asm.ror(edx, 7); }, Carry),
        ["shifted without flags"] = (asm =>
        {
            asm.shlx(rax, rbx, rcx);
            asm.shrx(edx, ebx, ecx);
            asm.sarx(rsi, rbx, rcx);
            asm.rorx(rdi, rbx, 13);
        }, All),
        ["multiplied"] = (asm => { asm.imul(rax, rcx); asm.imul(edx, ebx, 77); }, CarryAndOverflow),
        ["multiplied wide"] = (asm => { asm.mul(rcx); asm.mov(rsi, rax); asm.imul(ebx); }, CarryAndOverflow),
        ["multiplied without flags"] = (asm => asm.mulx(rax, rbx, rcx), All),
        ["divided"] = (asm => { asm.xor(edx, edx); asm.or(rcx, 1); asm.div(rcx); }, 0),
        ["divided with the sign"] = (asm => { asm.cdq(); asm.shr(ecx, 1); asm.or(ecx, 3); asm.idiv(ecx); }, 0),
        ["sign extended"] = (asm => { asm.movsx(rbx, al); asm.movsxd(rsi, ecx); asm.movsx(edi, cx); asm.cdqe(); asm.cqo(); }, All),
        ["moved"] = (asm => { asm.mov(al, cl); asm.mov(bx, dx); asm.mov(esi, edi); asm.movzx(r8d, r9b); asm.mov(ah, ch); }, All),
        ["addresses"] = (asm => { asm.lea(rax, __[rcx + (rdx * 4) + 0x77]); asm.lea(ebx, __[rsi - 5]); }, All),
        ["memory"] = (asm =>
        {
            asm.mov(__[r15 + NativeCode.Scratch], rax);
            asm.mov(ecx, __[r15 + NativeCode.Scratch + 2]);
            asm.add(__word_ptr[r15 + NativeCode.Scratch + 3], dx);
        }, All),
        ["bits counted"] = (asm => { asm.popcnt(rbx, rax); asm.lzcnt(ecx, ecx); asm.tzcnt(rdx, rdx); }, Carry | Zero),
        ["bits found"] = (asm => { asm.or(rax, 0x100); asm.bsf(rbx, rax); asm.bsr(rdx, rax); }, Zero),
        ["bytes turned"] = (asm => { asm.bswap(rax); asm.bswap(ecx); }, All),
        ["bits of two"] = (asm => { asm.andn(rax, rcx, rdx); asm.blsr(rbx, rsi); }, 0x8C1),
        ["a bit asked for"] = (asm => { asm.bt(rax, rcx); asm.bt(edx, 5); }, Carry),
        ["exchanged"] = (asm => { asm.xchg(rax, rcx); asm.xadd(rdx, rbx); asm.cmpxchg(rsi, rdi); }, All),
        ["exchanged in memory"] = (asm =>
        {
            asm.mov(__[r15 + NativeCode.Scratch], rbx);
            asm.@lock.cmpxchg(__qword_ptr[r15 + NativeCode.Scratch], rdi);
        }, All),
        ["stack"] = (asm => { asm.push(rax); asm.push(rcx); asm.pop(rdx); asm.pop(rbx); }, All),
        ["set by conditions"] = (asm =>
        {
            asm.cmp(rax, rcx);
            asm.setl(dl);
            asm.setb(bl);
            asm.seto(sil);
            asm.setbe(dil);
            asm.setg(r8b);
            asm.setp(r9b);
        }, All),
        ["moved by conditions"] = (asm =>
        {
            asm.cmp(eax, ecx);
            asm.cmovge(rdx, rbx);
            asm.cmova(esi, edi);
            asm.cmovne(r8, r9);
            asm.cmovs(r10d, r11d);
        }, All),
        ["numbers"] = (asm => { asm.addsd(xmm0, xmm1); asm.subsd(xmm2, xmm3); asm.mulsd(xmm4, xmm5); asm.divsd(xmm6, xmm7); }, All),
        ["numbers in three operands"] = (asm =>
        {
            asm.vaddsd(xmm0, xmm1, xmm2);
            asm.vdivsd(xmm3, xmm4, xmm5);
            asm.vsqrtsd(xmm6, xmm7, xmm0);
        }, All),
        ["numbers of 32 bits"] = (asm => { asm.addss(xmm0, xmm1); asm.vmulss(xmm2, xmm3, xmm4); asm.divss(xmm5, xmm6); }, All),
        ["least and most"] = (asm => { asm.minsd(xmm0, xmm1); asm.maxsd(xmm2, xmm3); }, All),
        ["numbers compared"] = (asm => asm.ucomisd(xmm0, xmm1), All),
        ["numbers of 32 bits compared"] = (asm => asm.vucomiss(xmm2, xmm3), All),
        ["numbers converted"] = (asm =>
        {
            asm.cvtsi2sd(xmm0, rax);
            asm.cvtsi2ss(xmm1, ecx);
            asm.cvtss2sd(xmm2, xmm3);
            asm.vcvtsd2ss(xmm4, xmm5, xmm6);
        }, All),
        ["numbers cut off"] = (asm => { asm.cvttsd2si(rax, xmm0); asm.cvttsd2si(ecx, xmm1); asm.cvttss2si(rdx, xmm2); }, All),
        ["vectors moved"] = (asm =>
        {
            asm.movaps(xmm0, xmm1);
            asm.movups(__[r15 + NativeCode.Scratch], xmm2);
            asm.movsd(xmm3, xmm4);
            asm.movsd(xmm5, __qword_ptr[r15 + NativeCode.Scratch]);
            asm.movq(xmm6, rax);
            asm.movd(ecx, xmm7);
        }, All),
        ["vectors combined"] = (asm =>
        {
            asm.xorps(xmm0, xmm1);
            asm.vpand(xmm2, xmm3, xmm4);
            asm.pandn(xmm5, xmm6);
            asm.vpor(xmm7, xmm0, xmm1);
            asm.pcmpeqb(xmm1, xmm2);
            asm.vpcmpeqw(xmm3, xmm4, xmm5);
            asm.paddd(xmm6, xmm7);
        }, All),
        ["vectors asked"] = (asm => { asm.pmovmskb(eax, xmm0); asm.ptest(xmm1, xmm2); }, All),
    };

    public static TheoryData<string> Codes { get; } = [.. s_code.Keys];

    [Theory]
    [MemberData(nameof(Codes))]
    public void An_emulated_instruction_does_what_the_processor_does(string name)
    {
        if (!Bmi2.X64.IsSupported || !Lzcnt.IsSupported || !OperatingSystem.IsLinux())
        {
            Skip.OnThisMachine("the oracle is an x64 processor with BMI2 and LZCNT, under Linux");
        }

        (Action<Assembler> code, uint flags) = s_code[name];
        using NativeCode native = new(code);
        Random random = new(20261128);
        for (int round = 0; round < Rounds; round++)
        {
            byte[] block = BlockOf(random, native.Block);

            byte[] expected = native.Run(block);

            byte[] actual = Emulated(native, block);
            Mask(expected, flags);
            Mask(actual, flags);
            Assert.Equal(Convert.ToHexString(expected), Convert.ToHexString(actual));
        }
    }

    private static byte[] BlockOf(Random random, ulong address)
    {
        byte[] block = new byte[NativeCode.Bytes];
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(block.AsSpan());
        for (int index = 0; index < words.Length; index++)
        {
            words[index] = random.Next(3) switch
            {
                0 => s_edges[random.Next(s_edges.Length)],
                1 when index >= NativeCode.Vectors / sizeof(ulong)
                    => BitConverter.DoubleToUInt64Bits(s_numbers[random.Next(s_numbers.Length)]),
                _ => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
            };
        }

        words[R15] = address;
        words[NativeCode.Flags / sizeof(ulong)] = 0x202 | ((ulong)random.Next() & All);
        return block;
    }

    private static byte[] Emulated(NativeCode native, byte[] block)
    {
        byte[] result = [.. block];
        const ulong stack = 0x7ffe00000000;
        EmulatedMemory memory = new(new MemoryPieces((native.Block, block), (stack, new byte[4096])));
        Cpu cpu = new(memory);
        MemoryMarshal.Cast<byte, ulong>(block)[..cpu.General.Length].CopyTo(cpu.General);
        cpu.SetRegister(Register.RSP, stack + 2048);
        for (int number = 0; number < NativeCode.VectorCount; number++)
        {
            Vector128<byte> value = Vector128.Create<byte>(block.AsSpan(NativeCode.Vectors + (number * 16), 16));
            cpu.Vectors[number] = Vector256.Create(value, Vector128<byte>.Zero);
        }

        cpu.Flags.Bits = BitConverter.ToUInt32(block, NativeCode.Flags);
        Decoder decoder = Decoder.Create(64, native.Code);
        while (decoder.IP < (ulong)native.Code.Length)
        {
            Instruction instruction = decoder.Decode();
            Assert.True(cpu.Run(instruction), instruction.ToString());
        }

        Assert.True(memory.TryRead(native.Block + NativeCode.Scratch, result.AsSpan(NativeCode.Scratch, NativeCode.ScratchBytes)));
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(result.AsSpan());
        for (int number = 0; number < cpu.General.Length; number++)
        {
            words[number] = number is 4 or R15 ? words[number] : cpu.General[number];
        }

        for (int number = 0; number < NativeCode.VectorCount; number++)
        {
            cpu.Vectors[number].GetLower().CopyTo(result.AsSpan(NativeCode.Vectors + (number * 16), 16));
        }

        words[NativeCode.Flags / sizeof(ulong)] = cpu.Flags.Bits;
        return result;
    }

    private static void Mask(byte[] block, uint flags)
    {
        Span<ulong> place = MemoryMarshal.Cast<byte, ulong>(block.AsSpan(NativeCode.Flags, sizeof(ulong)));
        place[0] &= flags;
    }
}
