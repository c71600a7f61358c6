using HangTriage.Capture.Windows.Unwind;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class X64PrologTests
{
    private const uint Begin = 0x1000;
    private const uint Body = 0x1080;
    private const uint End = 0x1100;

    private static UnwindFixture Frame(int words, byte[] info)
        => new(new ImageBytes().Function(Begin, End, info), UnwindFixture.Words(words));

    [Fact]
    public void A_push_is_undone_and_restores_its_register()
    {
        UnwindFixture.Stepped caller = Frame(2, Info(3, Push(3, R12), Push(1, Rbx))).Step(Body);
        caller.AssertReturnsBehind(2);
        Assert.Equal(0x1000u, caller[R12]);
        Assert.Equal(0x1001u, caller[Rbx]);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(128)]
    public void A_small_allocation_is_released(int size)
        => Frame(size / 8, Info(4, AllocSmall(4, size))).Step(Body).AssertReturnsBehind(size / 8);

    [Theory]
    [InlineData(136)]
    [InlineData(0x1000)]
    [InlineData(524_280)]
    public void A_large_allocation_in_units_of_8_bytes_is_released(int size)
        => Frame(size / 8, Info(7, AllocLarge16(7, size))).Step(Body).AssertReturnsBehind(size / 8);

    [Theory]
    [InlineData(0x10008)]
    [InlineData(0x80000)]
    public void A_large_allocation_in_bytes_is_released(int size)
        => Frame(size / 8, Info(7, AllocLarge32(7, size))).Step(Body).AssertReturnsBehind(size / 8);

    [Fact]
    public void The_frame_register_finds_the_frame_however_far_the_stack_pointer_moved()
    {
        // push rbp; sub rsp, 0x40; lea rbp, [rsp+0x20], and 12 words of alloca below
        UnwindFixture.Stepped caller = Frame(12 + 8 + 1, Framed(10, Rbp, 2, SetFrame(10), AllocSmall(5, 0x40), Push(1, Rbp)))
            .Step(Body, false, (Rbp, UnwindFixture.Stack + (12 * 8) + 0x20));
        caller.AssertReturnsBehind(12 + 8 + 1);
        Assert.Equal(0x1000u + 20, caller[Rbp]);
    }

    [Fact]
    public void A_saved_register_is_read_relative_to_the_stack_pointer()
    {
        UnwindFixture.Stepped caller = Frame(4, Info(10, Save(10, Rsi, 8), AllocSmall(4, 32))).Step(Body);
        caller.AssertReturnsBehind(4);
        Assert.Equal(0x1001u, caller[Rsi]);
    }

    [Fact]
    public void A_register_saved_in_the_callers_home_space_is_read_from_above_the_return_address()
    {
        UnwindFixture frame = new(
            new ImageBytes().Function(Begin, End, Info(10, Save(10, Rdi, 0x30), AllocSmall(4, 32))),
            [.. UnwindFixture.Words(4), 0xAA, 0xBB]);
        Assert.Equal(0xBBu, frame.Step(Body)[Rdi]);
    }

    [Fact]
    public void A_register_saved_far_away_is_read_there()
    {
        UnwindFixture.Stepped caller = Frame(0x20000, Info(20, SaveFar(20, Rbx, 0x80008), AllocLarge32(7, 0x100000))).Step(Body);
        caller.AssertReturnsBehind(0x20000);
        Assert.Equal(0x1000u + (0x80008 / 8), caller[Rbx]);
    }

    [Fact]
    public void A_saved_register_counts_from_the_frame_register_where_there_is_one()
    {
        UnwindFixture.Stepped caller = Frame(6 + 4, Framed(12, Rbp, 1, Save(12, Rsi, 0x10), SetFrame(8), AllocSmall(4, 32)))
            .Step(Body, false, (Rbp, UnwindFixture.Stack + (6 * 8) + 16));
        caller.AssertReturnsBehind(6 + 4);
        Assert.Equal(0x1000u + 6 + 2, caller[Rsi]);
    }

    [Fact]
    public void Saved_vector_registers_move_nothing()
        => Frame(3, Info(20, SaveXmmFar(20), SaveXmm(15), AllocSmall(4, 24))).Step(Body).AssertReturnsBehind(3);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 2)]
    [InlineData(6, 2)]
    [InlineData(7, 6)]
    public void Within_the_prolog_only_what_was_executed_is_undone(uint executed, int words)
        => Frame(words, Info(7, AllocSmall(7, 32), Push(3, R12), Push(1, Rbx))).Step(Begin + executed).AssertReturnsBehind(words);

    [Fact]
    public void Before_the_frame_register_is_set_saved_registers_count_from_the_stack_pointer()
    {
        UnwindFixture.Stepped caller = Frame(4, Framed(20, Rbp, 0, SetFrame(20), Save(12, Rsi, 8), AllocSmall(4, 32)))
            .Step(Begin + 12, false, (Rbp, 0xDEAD0000));
        caller.AssertReturnsBehind(4);
        Assert.Equal(0x1001u, caller[Rsi]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_machine_frame_goes_on_where_the_thread_was_interrupted(bool hasErrorCode)
    {
        ulong[] stack = [0x1000, 0x55, UnwindFixture.ReturnAddress, 0x33, 0x246, UnwindFixture.Stack + 0x200, 0x2B];
        UnwindFixture frame = new(
            new ImageBytes().Function(Begin, End, Info(1, AllocSmall(1, hasErrorCode ? 8 : 16), MachineFrame(hasErrorCode))), stack);
        UnwindFixture.Stepped caller = frame.Step(Body);
        Assert.Equal(UnwindStatus.Done, caller.Status);
        Assert.Equal(UnwindFixture.ReturnAddress, caller.Registers.Rip);
        Assert.Equal(UnwindFixture.Stack + 0x200, caller.Registers.Rsp);
        Assert.False(caller.IsReturnAddress);
    }

    [Fact]
    public void A_leaf_function_returns_to_what_lies_on_top_of_the_stack()
        => new UnwindFixture(new ImageBytes().Function(0x1200, 0x1300, Info(0)), UnwindFixture.Words(0)).Step(Body).AssertReturnsBehind(0);

    [Fact]
    public void A_function_without_unwind_data_that_called_is_no_leaf()
        => Assert.Equal(
            UnwindStatus.LeafThatCalled,
            new UnwindFixture(new ImageBytes().Function(0x1200, 0x1300, Info(0)), UnwindFixture.Words(0)).Step(Body, isReturnAddress: true).Status);

    [Fact]
    public void A_call_at_the_end_of_a_function_belongs_to_that_function_and_not_to_the_next()
        => new UnwindFixture(
                new ImageBytes().Function(Begin, End, Info(4, AllocSmall(4, 40))).Function(End, End + 0x100, Info(4, AllocSmall(4, 80))),
                UnwindFixture.Words(5))
            .Step(End, isReturnAddress: true)
            .AssertReturnsBehind(5);

    [Theory]
    [InlineData(3)]
    [InlineData(0)]
    public void Unwind_data_of_another_version_is_said_to_be_not_understood(byte version)
    {
        byte[] info = Info(4, AllocSmall(4, 40));
        info[0] = version;
        Assert.Equal(UnwindStatus.BadUnwindData, Frame(5, info).Step(Body).Status);
    }

    [Fact]
    public void A_code_that_runs_beyond_the_last_one_is_said_to_be_not_understood()
        => Assert.Equal(UnwindStatus.BadUnwindData, Frame(5, Info(4, [4, 0x11])).Step(Body).Status);

    [Fact]
    public void Stack_memory_that_is_missing_is_said_to_be_missing()
        => Assert.Equal(UnwindStatus.NoStack, Frame(5, Info(4, AllocLarge16(4, 0x4000))).Step(Body).Status);
}
