using HangTriage.Capture;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows.Code;

public sealed class LoopFinderTests
{
    // xor eax,eax; 2: inc eax; cmp eax,ecx; jl 2; ret
    private static readonly byte[] s_simple = [0x31, 0xC0, 0xFF, 0xC0, 0x39, 0xC8, 0x7C, 0xFA, 0xC3];

    // xor eax,eax; 2: xor edx,edx; 4: inc edx; cmp edx,ecx; jl 4; inc eax; cmp eax,ecx; jl 2; ret
    private static readonly byte[] s_nested =
        [0x31, 0xC0, 0x31, 0xD2, 0xFF, 0xC2, 0x39, 0xCA, 0x7C, 0xFA, 0xFF, 0xC0, 0x39, 0xC8, 0x7C, 0xF2, 0xC3];

    [Theory]
    [InlineData(2, "0x2-0x8 3")]
    [InlineData(4, "0x2-0x8 3")]
    [InlineData(6, "0x2-0x8 3")]
    [InlineData(0, "")]
    [InlineData(8, "")]
    public void A_loop_goes_from_the_target_of_its_branch_to_behind_the_branch(uint at, string loop)
        => Assert.Equal(loop, CodeFixture.LoopAt(s_simple, at));

    [Theory]
    [InlineData(4, "0x4-0xa 3")]
    [InlineData(8, "0x4-0xa 3")]
    [InlineData(2, "0x2-0x10 7")]
    [InlineData(10, "0x2-0x10 7")]
    public void Of_nested_loops_the_innermost_around_the_place_counts(uint at, string loop)
        => Assert.Equal(loop, CodeFixture.LoopAt(s_nested, at));

    [Fact]
    public void A_near_conditional_branch_leads_back_as_a_short_one()
        => Assert.Equal("0x2-0xc 3", CodeFixture.LoopAt([0x31, 0xC0, 0xFF, 0xC0, 0x39, 0xC8, 0x0F, 0x8C, 0xF6, 0xFF, 0xFF, 0xFF, 0xC3], 4));

    [Fact]
    public void The_loop_instruction_makes_a_loop()
        => Assert.Equal("0x0-0x4 2", CodeFixture.LoopAt([0xFF, 0xC0, 0xE2, 0xFC, 0xC3], 0));

    [Fact]
    public void A_jump_to_itself_is_a_loop_of_one_instruction()
        => Assert.Equal("0x0-0x2 1", CodeFixture.LoopAt([0xEB, 0xFE, 0xC3], 0));

    [Fact]
    public void A_pause_in_the_loop_is_told_and_one_outside_it_is_not()
    {
        Assert.Equal("0x0-0x4 2 pauses", CodeFixture.LoopAt([0xF3, 0x90, 0xEB, 0xFC], 2));
        Assert.Equal("0x2-0x6 2", CodeFixture.LoopAt([0xF3, 0x90, 0xFF, 0xC0, 0xEB, 0xFC], 2));
    }

    [Fact]
    public void Code_that_only_goes_forward_is_in_no_loop()
        => Assert.Equal(string.Empty, CodeFixture.LoopAt([0x85, 0xC9, 0x74, 0x02, 0xFF, 0xC0, 0xC3], 4));

    // test ecx,ecx; jz 9; 4: inc eax; inc edx; ret; 9: dec ecx; jmp 4
    [Theory]
    [InlineData(4)]
    [InlineData(6)]
    [InlineData(9)]
    public void A_cold_block_that_jumps_back_makes_no_loop_of_the_code_that_it_jumps_over(uint at)
        => Assert.Equal(string.Empty, CodeFixture.LoopAt([0x85, 0xC9, 0x74, 0x05, 0xFF, 0xC0, 0xFF, 0xC2, 0xC3, 0xFF, 0xC9, 0xEB, 0xF7], at));

    [Fact]
    public void A_switch_inside_a_loop_may_lead_anywhere_in_it()
        => Assert.Equal("0x0-0x6 3", CodeFixture.LoopAt([0xFF, 0xE0, 0xFF, 0xC0, 0xEB, 0xFA], 2));

    [Fact]
    public void A_return_address_is_where_its_call_is()
    {
        // 0: call; jmp 0
        Assert.Equal("0x0-0x7 2", CodeFixture.LoopAt([0xE8, 0, 0, 0, 0, 0xEB, 0xF9], 5, isReturnAddress: true));

        // 0: inc eax; jnz 0; call; ret: behind the loop
        Assert.Equal(string.Empty, CodeFixture.LoopAt([0xFF, 0xC0, 0x75, 0xFC, 0xE8, 0, 0, 0, 0, 0xC3], 9, isReturnAddress: true));

        // 0: inc eax; 2: call; 7: jmp 0: the call is the last instruction that the loop's jump leads round
        Assert.Equal("0x0-0x9 3", CodeFixture.LoopAt([0xFF, 0xC0, 0xE8, 0, 0, 0, 0, 0xEB, 0xF7], 7, isReturnAddress: true));
    }

    [Fact]
    public void A_call_that_ends_its_function_has_its_return_address_behind_it()
        => Assert.Equal(string.Empty, CodeFixture.LoopAt([0xFF, 0xC0, 0xE8, 0, 0, 0, 0], 7, isReturnAddress: true));

    [Theory]
    [InlineData(3, false, "does not decode to an instruction there")]
    [InlineData(4, true, "does not decode to a call that returns there")]
    public void A_place_that_is_no_boundary_of_instructions_is_a_gap(uint at, bool isReturnAddress, string why)
        => Assert.Contains(why, CodeFixture.LoopAt(s_simple, at, isReturnAddress), StringComparison.Ordinal);

    [Fact]
    public void Data_before_the_place_is_a_gap()
        => Assert.Contains("does not decode", CodeFixture.LoopAt([0x06, 0x06, 0xFF, 0xC0, 0xEB, 0xFC], 2), StringComparison.Ordinal);

    [Fact]
    public void Parts_of_one_function_are_decoded_together()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1010, Info(0)).Function(0x1100, 0x1104, Info(0));
        image.Function(0x1104, 0x1109, Chained(0, image.Entry(1))).Code(CodeFixture.Begin, s_simple);

        Assert.Equal("0x2-0x8 3", CodeFixture.Describe(CodeFixture.Find(image, 0x1102)));
        Assert.Equal("0x2-0x8 3", CodeFixture.Describe(CodeFixture.Find(image, 0x1106)));
    }

    [Fact]
    public void A_branch_into_the_function_before_is_no_loop()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1104, Info(0)).Function(0x1104, 0x1109, Info(0)).Code(CodeFixture.Begin, s_simple);

        Assert.Null(CodeFixture.Find(image, 0x1106));
    }

    [Fact]
    public void A_leaf_without_an_entry_lies_between_two_that_have_one()
    {
        ImageBytes image = new ImageBytes().Function(0x1000, 0x1100, Info(0)).Function(0x1200, 0x1210, Info(0)).Code(CodeFixture.Begin, s_simple);

        Assert.Equal("0x2-0x8 3", CodeFixture.Describe(CodeFixture.Find(image, 0x1104)));
    }

    [Fact]
    public void Code_behind_the_last_function_has_no_proven_start()
        => Assert.Contains("starts is not known", CodeFixture.Describe(CodeFixture.Find(CodeFixture.Image(s_simple), 0x1180)), StringComparison.Ordinal);

    [Fact]
    public void Code_that_is_not_in_the_dump_is_a_gap()
    {
        FakeProcess process = new();
        byte[] image = CodeFixture.Image(s_simple).Build();
        process.Module("test.dll", CodeFixture.ImageBase, ImageBytes.Size);
        process.Memory(CodeFixture.ImageBase, image[..0x1000]);
        process.Memory(CodeFixture.ImageBase + 0x2000, image[0x2000..]);

        Assert.Contains("is not in the dump", CodeFixture.Describe(CodeFixture.Find(process, 0x1104)), StringComparison.Ordinal);
        Assert.NotNull(CodeFixture.Find(image: null, 0x1104)!.Gap);
    }

    [Fact]
    public void A_function_beyond_the_limits_is_not_decoded()
    {
        Assert.Contains("too long", Why(new CaptureLimits { CodePerFunction = 8 }), StringComparison.Ordinal);
        Assert.Contains("too much code", Why(new CaptureLimits { CodePerProcess = 8 }), StringComparison.Ordinal);

        static string Why(CaptureLimits limits) => CodeFixture.Find(CodeFixture.Image(s_simple), 0x1104, limits: limits)!.Gap!.Why;
    }
}
