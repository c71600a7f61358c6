using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>Epilogs are recognised by their code. The stack is always as it is at the instruction in question.</summary>
public sealed class X64EpilogTests
{
    private const uint Begin = 0x1000;
    private const uint End = 0x1100;
    private const uint Epilog = 0x1050;

    // push rbx; push r12; sub rsp, 0x28
    private static readonly byte[] s_info = Info(7, AllocSmall(7, 0x28), Push(3, R12), Push(1, Rbx));

    private static UnwindFixture At(byte[] code, int words, byte[]? info = null)
        => new(new ImageBytes().Function(Begin, End, info ?? s_info).Function(0x1800, 0x1900, Info(0)).Code(Epilog, code), UnwindFixture.Words(words));

    public static TheoryData<string, byte[], int> Ends { get; } = new()
    {
        { "ret", [0xC3], 0 },
        { "ret 8", [0xC2, 8, 0], 0 },
        { "rep ret", [0xF3, 0xC3], 0 },
        { "bnd ret", [0xF2, 0xC3], 0 },
        { "pop rbx; ret", [0x5B, 0xC3], 1 },
        { "pop r12; pop rbx; ret", [0x41, 0x5C, 0x5B, 0xC3], 2 },
        { "add rsp, 0x28; pop r12; pop rbx; ret", [0x48, 0x83, 0xC4, 0x28, 0x41, 0x5C, 0x5B, 0xC3], 7 },
        { "add rsp, 0x118; pop r12; pop rbx; ret", [0x48, 0x81, 0xC4, 0x18, 1, 0, 0, 0x41, 0x5C, 0x5B, 0xC3], 37 },
        { "pop rbx; jmp [rip+0]", [0x5B, 0xFF, 0x25, 0, 0, 0, 0], 1 },
        { "pop rbx; rex.w jmp rax", [0x5B, 0x48, 0xFF, 0xE0], 1 },
        { "pop rbx; rex.w jmp [rip+0]", [0x5B, 0x48, 0xFF, 0x25, 0, 0, 0, 0], 1 },
        { "pop rbx; jmp to another function", [0x5B, 0xE9, 0xAA, 7, 0, 0], 1 },
        { "pop rbx; jmp to the function's own begin", [0x5B, 0xE9, 0xAA, 0xFF, 0xFF, 0xFF], 1 },
        { "pop rbx; short jmp to the function's own begin", [0x5B, 0xEB, 0xAD], 1 },
        { "pop rbx; jmp out of the image", [0x5B, 0xE9, 0, 0, 0, 0x10], 1 },
    };

    [Theory]
    [MemberData(nameof(Ends))]
    public void An_epilog_is_executed_to_its_end(string name, byte[] code, int words)
    {
        Assert.NotEmpty(name);
        At(code, words).Step(Epilog).AssertReturnsBehind(words);
    }

    [Fact]
    public void Pops_restore_their_registers()
    {
        UnwindFixture.Stepped caller = At([0x41, 0x5C, 0x5B, 0xC3], 2).Step(Epilog);
        Assert.Equal(0x1000u, caller[R12]);
        Assert.Equal(0x1001u, caller[Rbx]);
    }

    public static TheoryData<string, byte[]> Bodies { get; } = new()
    {
        { "jmp within the function", [0x5B, 0xE9, 0x10, 0, 0, 0] },
        { "short jmp within the function", [0x5B, 0xEB, 0x10] },
        { "a jump table", [0xFF, 0xE0] },
        { "a pop in the middle", [0x5B, 0x90, 0xC3] },
        { "add rsp that no return follows", [0x48, 0x83, 0xC4, 0x28, 0x90, 0xC3] },
        { "lea rsp from no frame register", [0x48, 0x8D, 0x65, 0x10, 0xC3] },
        { "lea rsp from rax", [0x48, 0x8D, 0x60, 0x10, 0xC3] },
    };

    [Theory]
    [MemberData(nameof(Bodies))]
    public void What_merely_looks_like_an_epilog_is_unwound_by_the_prolog(string name, byte[] code)
    {
        Assert.NotEmpty(name);
        At(code, 7).Step(Epilog).AssertReturnsBehind(7);
    }

    [Theory]
    [InlineData(new byte[] { 0x48, 0x8D, 0x65, 0x10, 0x5D, 0xC3 }, 16)]
    [InlineData(new byte[] { 0x48, 0x8D, 0x65, 0xF0, 0x5D, 0xC3 }, -16)]
    [InlineData(new byte[] { 0x48, 0x8D, 0xA5, 0x10, 0, 0, 0, 0x5D, 0xC3 }, 16)]
    [InlineData(new byte[] { 0x48, 0x8D, 0xA5, 0xF0, 0xFF, 0xFF, 0xFF, 0x5D, 0xC3 }, -16)]
    public void Locals_are_released_by_the_frame_register(byte[] code, int displacement)
    {
        byte[] framed = Framed(10, Rbp, 1, SetFrame(10), AllocSmall(5, 32), Push(1, Rbp));
        UnwindFixture.Stepped caller = At(code, 9, framed).Step(Epilog, false, (Rbp, (ulong)((long)UnwindFixture.Stack + (8 * 8) - displacement)));
        caller.AssertReturnsBehind(9);
        Assert.Equal(0x1008u, caller[Rbp]);
    }

    [Fact]
    public void A_jump_to_a_part_of_the_function_that_was_moved_away_is_no_tail_call()
    {
        ImageBytes image = new ImageBytes().Function(Begin, End, s_info);
        image.Function(0x1800, 0x1900, Chained(0, image.Entry(0))).Code(Epilog, 0xE9, 0xAB, 7, 0, 0);
        new UnwindFixture(image, UnwindFixture.Words(7)).Step(Epilog).AssertReturnsBehind(7);
    }

    [Fact]
    public void A_return_address_is_never_in_an_epilog()
        => At([0x5B, 0xC3], 7).Step(Epilog, isReturnAddress: true).AssertReturnsBehind(7);

    // Version 2: three bytes at the end (pop r12; pop rbx), plus the return.
    private static readonly byte[] s_listed = Version2(7, Epilogs(4, lastIsAtEnd: true, 0x80), AllocSmall(7, 0x28), Push(3, R12), Push(1, Rbx));

    [Theory]
    [InlineData(End - 5, 7)]
    [InlineData(End - 4, 2)]
    [InlineData(End - 2, 1)]
    [InlineData(End - 1, 0)]
    [InlineData(End - 0x80, 2)]
    [InlineData(End - 0x7E, 1)]
    [InlineData(End - 0x7C, 7)]
    [InlineData(End - 0x81, 7)]
    public void Listed_epilogs_pop_what_is_left_without_looking_at_code(uint rva, int words)
        => At([0xCC], words, s_listed).Step(rva).AssertReturnsBehind(words);

    [Fact]
    public void Only_the_last_epilog_is_at_the_end_where_the_list_says_so()
        => At([0xCC], 7, Version2(7, Epilogs(4, lastIsAtEnd: false, 0x80), AllocSmall(7, 0x28), Push(3, R12), Push(1, Rbx)))
            .Step(End - 2)
            .AssertReturnsBehind(7);

    [Fact]
    public void Padding_in_the_list_is_no_epilog_at_the_very_end()
        => At([0xCC], 7, Version2(7, Epilogs(4, lastIsAtEnd: false, 0), AllocSmall(7, 0x28), Push(3, R12), Push(1, Rbx)))
            .Step(End - 2)
            .AssertReturnsBehind(7);

    [Fact]
    public void In_version_2_code_alone_makes_no_epilog()
        => At([0x5B, 0xC3], 7, s_listed).Step(Epilog).AssertReturnsBehind(7);
}
