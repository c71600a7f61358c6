using HangTriage.Capture.Managed.Rounds;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace HangTriage.Tests.Capture.Managed.Rounds;

/// <summary>Which of a loop's variables decide how it continues, by its machine code.</summary>
public sealed class LoopSliceTests
{
    private const ulong Start = 0x7f0000001000;
    private const ulong Rbp = 0x7ffe00002000;
    private const int Left = -0x10;
    private const int Count = -0x18;
    private const int Struct = -0x30;

    [Fact]
    public void What_a_branch_asks_decides_and_a_count_of_rounds_does_not()
    {
        MachineCode code = Code(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(__dword_ptr[rbp + Count]);
            asm.mov(eax, __dword_ptr[rbp + Left]);
            asm.dec(eax);
            asm.mov(__dword_ptr[rbp + Left], eax);
            asm.test(eax, eax);
            asm.jne(loop);
        });
        MachineLoop loop = Assert.Single(MachineLoop.Around(code, 3, 4));
        LoopSlice slice = Slice(code, loop);

        Assert.True(slice.IsWhole);
        Assert.Equal(Words(Left), slice.NeededAt(slice.Turned().Head));
        Assert.Equal(Words(Count), slice.Counts(slice.Taken(Rbp)));
    }

    // "let rest = text[length..]" by registers: what the branch asks comes from another register, and that from a call.
    [Fact]
    public void What_a_call_is_handed_decides_too()
    {
        MachineCode code = Code(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(r13);
            asm.mov(rdi, rbx);
            asm.call(Start + 0x5000);
            asm.add(rbx, rax);
            asm.add(r14, rax);
            asm.cmp(rbx, 5);
            asm.jne(loop);
        });
        MachineLoop loop = Assert.Single(MachineLoop.Around(code, 4, 4));
        LoopSlice slice = Slice(code, loop);

        Assert.Equal([3L], slice.NeededAt(slice.Turned().Head));
        Assert.Equal([13L, 14L], slice.Counts(slice.Taken(Rbp)));
    }

    [Fact]
    public void A_struct_whose_address_is_taken_belongs_to_what_decides()
    {
        MachineCode code = Code(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(__dword_ptr[rbp + Count]);
            asm.lea(rdi, __[rbp + Struct]);
            asm.call(Start + 0x5000);
            asm.test(eax, eax);
            asm.jne(loop);
        });
        LoopSlice slice = Slice(code, Assert.Single(MachineLoop.Around(code, 3, 4)));

        IReadOnlySet<long> taken = slice.Taken(Rbp);

        Assert.Superset(Words(Struct).Concat(Words(Struct + 0x10)).ToHashSet(), taken.ToHashSet());
        Assert.DoesNotContain(Words(Count).Single(), taken);
    }

    [Fact]
    public void What_the_compiler_has_laid_behind_the_end_is_of_the_loop_and_comes_in_its_place_of_the_round()
    {
        int seldom = 0;
        int back = 0;
        MachineCode code = Code(asm =>
        {
            Label loop = asm.CreateLabel();
            Label rare = asm.CreateLabel();
            Label after = asm.CreateLabel();
            asm.Label(ref loop);
            asm.mov(eax, __dword_ptr[rbp + Left]);
            asm.cmp(eax, 7);
            asm.je(rare);
            asm.Label(ref after);
            back = asm.Instructions.Count;
            asm.dec(__dword_ptr[rbp + Left]);
            asm.jne(loop);
            asm.pop(rbp);
            asm.ret();
            asm.Label(ref rare);
            seldom = asm.Instructions.Count;
            asm.mov(__dword_ptr[rbp + Left], 3);
            asm.jmp(after);
        });

        MachineLoop loop = Assert.Single(MachineLoop.Around(code, seldom, 4));

        Assert.True(loop.RankOf(seldom) < loop.RankOf(back));
        Assert.Equal(0, loop.RankOf(loop.Head));
    }

    [Fact]
    public void A_loop_within_a_loop_is_one_place_of_the_outer_round()
    {
        int first = 0;
        MachineCode code = Code(asm =>
        {
            Label outer = asm.CreateLabel();
            Label inner = asm.CreateLabel();
            asm.Label(ref outer);
            asm.mov(ecx, 10);
            asm.Label(ref inner);
            first = asm.Instructions.Count;
            asm.dec(ecx);
            asm.jne(inner);
            asm.dec(__dword_ptr[rbp + Left]);
            asm.jne(outer);
        });

        IReadOnlyList<MachineLoop> loops = MachineLoop.Around(code, first, 4);

        Assert.Equal(2, loops.Count);
        Assert.Equal(loops[0].RankOf(first), loops[0].RankOf(first + 1));
        Assert.True(loops[0].RankOf(first + 1) < loops[0].RankOf(first + 2));
    }

    private static MachineCode Code(Action<Assembler> body)
    {
        Assembler asm = new(64);
        asm.push(rbp);
        asm.mov(rbp, rsp);
        body(asm);
        asm.pop(rbp);
        asm.ret();
        using MemoryStream bytes = new();
        asm.Assemble(new StreamCodeWriter(bytes), Start);
        return MachineCode.Decode(bytes.ToArray(), Start)!;
    }

    private static LoopSlice Slice(MachineCode code, MachineLoop loop)
    {
        MachineFrame frame = new(Rbp, Rbp - 0x80, code.FramesByRbp, IsWindows: false);
        InstructionInfoFactory factory = new();
        return new LoopSlice(code, [.. code.Code.Select(instruction => MachineStep.Of(instruction, factory, frame))], frame, loop,
            new HashSet<long>());
    }

    private static long[] Words(int offset) => [.. MachineFrame.Words(unchecked(Rbp + (ulong)offset), sizeof(int))];
}
