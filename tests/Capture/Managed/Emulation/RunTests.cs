using System.Buffers.Binary;
using HangTriage.Capture.Managed.Emulation;
using HangTriage.Tests.Capture.Linux;
using Iced.Intel;
using static Iced.Intel.AssemblerRegisters;

namespace HangTriage.Tests.Capture.Managed.Emulation;

/// <summary>Which loops come back to where they were, by their machine code and the memory that they work with.</summary>
public sealed class RunTests
{
    private const ulong Start = 0x7f0000001000;
    private const ulong Heap = 0x7f1000000000;
    private const ulong Stack = 0x7ffe00000000;
    private const ulong StackTop = Stack + 0x800;
    private const int Most = 200_000;
    private const int ContextSize = 1232;
    private const int RbxAt = 0x90;
    private const int RspAt = 0x98;
    private const int RbpAt = 0xA0;
    private const int RipAt = 0xF8;

    [Fact]
    public void References_that_lead_in_a_circle_lead_on_for_ever_whatever_is_summed_up_on_the_way()
    {
        Run run = Of(Walk, Nodes(3, next: node => (node + 1) % 3));

        Deciding? deciding = run.FindRepeat(Most);

        Assert.NotNull(deciding);
        Assert.Equal(3, run.Visits);
        Assert.All(Enumerable.Range(0, 3), node => Assert.Contains(Heap + ((ulong)node * 16), deciding.Memory));
        Assert.DoesNotContain(Heap + 8, deciding.Memory);
    }

    [Fact]
    public void References_that_lead_to_an_end_do_not_come_back()
        => Assert.Null(Of(Walk, Nodes(3, next: node => node == 2 ? null : node + 1)).FindRepeat(Most));

    [Fact]
    public void A_count_that_the_branch_asks_for_is_another_state_each_time()
        => Assert.Null(Of(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(rax);
            asm.cmp(rax, int.MaxValue);
            asm.jl(loop);
        }, []).FindRepeat(Most));

    [Fact]
    public void A_count_beside_what_decides_on_the_stack_does_not_decide()
        => Assert.NotNull(Of(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(__dword_ptr[rbp - 8]);
            asm.cmp(__dword_ptr[rbp - 4], 7);
            asm.jne(loop);
        }, []).FindRepeat(Most));

    // "depth++" in a register that the called method puts on the stack and takes back.
    [Fact]
    public void A_count_that_a_call_keeps_on_the_stack_does_not_decide()
        => Assert.NotNull(Of(asm =>
        {
            Label loop = asm.CreateLabel();
            Label called = asm.CreateLabel();
            asm.Label(ref loop);
            asm.inc(r15);
            asm.call(called);
            asm.test(eax, eax);
            asm.je(loop);
            asm.Label(ref called);
            asm.push(r15);
            asm.xor(r15d, r15d);
            asm.mov(eax, r15d);
            asm.pop(r15);
            asm.ret();
        }, []).FindRepeat(Most));

    [Fact]
    public void What_it_writes_where_it_reads_again_decides()
        => Assert.Null(Of(asm =>
        {
            Label loop = asm.CreateLabel();
            asm.Label(ref loop);
            asm.mov(rax, __[rbx]);
            asm.inc(rax);
            asm.mov(__[rbx], rax);
            asm.cmp(rax, int.MaxValue);
            asm.jl(loop);
        }, new byte[64]).FindRepeat(Most));

    [Fact]
    public void What_lets_others_run_and_what_calls_the_system_is_not_run()
    {
        Assert.Null(Of(asm => Around(asm, () => asm.pause()), []).FindRepeat(Most));
        Assert.Null(Of(asm => Around(asm, () => asm.syscall()), []).FindRepeat(Most));
        Assert.NotNull(Of(asm => Around(asm, () => asm.nop()), []).FindRepeat(Most));
    }

    [Fact]
    public void Code_and_memory_that_are_not_in_the_target_end_it()
    {
        Assert.Null(Of(asm => asm.jmp(0x1234), []).FindRepeat(Most));
        Assert.Null(Of(asm => Around(asm, () => asm.mov(rax, __[0x1234])), []).FindRepeat(Most));
    }

    [Fact]
    public void What_only_lets_time_pass_returns_at_once()
    {
        // A spin lock's loop: compare and exchange, pause in code that is not in the target, again.
        const ulong pause = 0x7f2000000000;
        void Code(Assembler asm)
        {
            Label taking = asm.CreateLabel();
            Around(asm, () =>
            {
                asm.xor(eax, eax);
                asm.@lock.cmpxchg(__dword_ptr[rbx + 4], ecx);
                asm.test(eax, eax);
                asm.je(taking);
                asm.mov(rax, pause);
                asm.call(rax);
            });
            asm.Label(ref taking);
            asm.int3();
        }

        byte[] taken = [0, 0, 0, 0, 1, 0, 0, 0];

        Assert.Null(Of(Code, taken).FindRepeat(Most));
        Deciding? deciding = Of(Code, taken, pauses: address => address == pause).FindRepeat(Most);

        Assert.NotNull(deciding);
        Assert.Contains(Heap + 4, deciding.Memory);
        Assert.DoesNotContain(Heap, deciding.Memory);
    }

    private static void Around(Assembler asm, Action inside)
    {
        Label loop = asm.CreateLabel();
        asm.Label(ref loop);
        inside();
        asm.jmp(loop);
    }

    // "for (; node != null; node = node.Next) total += node.Amount"
    private static void Walk(Assembler asm)
    {
        Label loop = asm.CreateLabel();
        Label end = asm.CreateLabel();
        asm.Label(ref loop);
        asm.test(rbx, rbx);
        asm.je(end);
        asm.add(rax, __[rbx + 8]);
        asm.mov(rbx, __[rbx]);
        asm.jmp(loop);
        asm.Label(ref end);
        asm.int3();
    }

    private static byte[] Nodes(int count, Func<int, int?> next)
    {
        byte[] nodes = new byte[count * 16];
        for (int node = 0; node < count; node++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(nodes.AsSpan(node * 16), next(node) is { } to ? Heap + ((ulong)to * 16) : 0);
            BinaryPrimitives.WriteUInt64LittleEndian(nodes.AsSpan((node * 16) + 8), (ulong)node + 1);
        }

        return nodes;
    }

    private static Run Of(Action<Assembler> code, byte[] heap, Func<ulong, bool>? pauses = null)
    {
        Assembler asm = new(64);
        code(asm);
        using MemoryStream stream = new();
        asm.Assemble(new StreamCodeWriter(stream), Start);
        byte[] context = new byte[ContextSize];
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RipAt), Start);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RspAt), StackTop - 64);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RbpAt), StackTop);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RbxAt), Heap);
        MemoryPieces memory = new((Start, stream.ToArray()), (Heap, heap), (Stack, new byte[4096]));
        return new Run(memory, context, TestContext.Current.CancellationToken) { Pauses = pauses ?? (_ => false) };
    }
}
