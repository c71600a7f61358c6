using HangTriage.Capture;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

public sealed class StackWalkTests
{
    private const ulong ImageBase = UnwindFixture.ImageBase;
    private const ulong Stack = UnwindFixture.Stack;
    private const ulong Teb = 0x7000_0000;

    // A leaf at 0x1000, a function at 0x1100 that calls (the call ends at 0x1155), a start function at 0x1200 (0x1210).
    private static ImageBytes Image() => new ImageBytes()
        .Function(0x1100, 0x1200, Info(4, AllocSmall(4, 16)))
        .Function(0x1200, 0x1300, Info(4, AllocSmall(4, 40)))
        .Code(0x1000, new byte[0x20])
        .Code(0x1150, 0xE8, 0, 0, 0, 0)
        .Code(0x120E, 0xFF, 0xD0)
        .Export("Leaf", 0x1000)
        .Export("Work", 0x1100)
        .Export("ThreadStart", 0x1200);

    private static StackFacts Walk(ImageBytes? image, ulong ip, ulong[] words, ulong stackBase = 0, CaptureLimits? limits = null)
        => Capture(image, ip, words, stackBase == 0 ? Stack + ((ulong)words.Length * 8) : stackBase, limits).Threads.Value[0].Stack;

    private static ProcessSnapshot Capture(ImageBytes? image, ulong ip, ulong[] words, ulong stackBase, CaptureLimits? limits)
    {
        FakeProcess process = new();
        process.Module("test.dll", ImageBase, ImageBytes.Size);
        if (image is not null)
        {
            process.Memory(ImageBase, image.Build());
        }

        process.Words(Stack, words);
        process.Words(Teb, 0, stackBase, Stack, 0, 0, 0, Teb, 0, 4, 7, 0, 0, 0x6000_0000, 0);
        process.Words(0x100, 1, ImageBase + 0x1155);
        process.Thread(7, Teb, FakeProcess.Context(ip, Stack, (Rbp, 0x100)));
        return WindowsCapture.Read(process, CaptureContext.Default with { Limits = limits ?? CaptureLimits.Default });
    }

    private static string[] Describe(StackFacts stack)
        => [.. stack.Frames.Select(f => $"{f.Trust} {f.Module}!{f.Method ?? "?"}+0x{f.MethodOffset ?? f.ModuleOffset ?? 0:x}")];

    [Fact]
    public void A_stack_is_walked_from_the_leaf_to_the_threads_start()
    {
        StackFacts stack = Walk(Image(), ImageBase + 0x1010, [ImageBase + 0x1155, 1, 2, ImageBase + 0x1210, 1, 2, 3, 4, 5, 0, 0]);
        Assert.Equal(["Read test.dll!Leaf+0x10", "Derived test.dll!Work+0x55", "Derived test.dll!ThreadStart+0x10"], Describe(stack));
        Assert.Null(stack.Stopped);
        Assert.Equal([Stack, Stack + 8, Stack + 32], stack.Frames.Select(f => f.Sp.Value));
    }

    [Fact]
    public void A_return_address_of_0_far_below_the_base_is_not_taken_for_the_threads_start()
    {
        ulong[] words = [ImageBase + 0x1155, 1, 2, ImageBase + 0x1210, 1, 2, 3, 4, 5, 0, 0];
        Assert.Contains("is 0", Walk(Image(), ImageBase + 0x1010, words, Stack + 0x10000).Stopped?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_frame_that_starts_at_the_stacks_base_was_called_by_nobody()
        => Assert.Null(Walk(Image(), ImageBase + 0x1010, [ImageBase + 0x1210]).Stopped);

    [Fact]
    public void Without_unwind_data_the_next_likely_return_address_is_a_guess_and_so_is_all_behind_it()
    {
        // Not an address; data behind what looks like a call; code that no call is before; code behind a call that is in
        // no function; and then the real thing.
        ulong[] words = [0x1234, ImageBase + 0x7005, ImageBase + 0x1160, ImageBase + 0x1405, ImageBase + 0x1155, 1, 2, ImageBase + 0x1210, 1, 2, 3, 4, 5, 0, 0];
        ImageBytes image = Image().Function(0x7000, 0x7100, Info(0)).Code(0x7000, 0xE8, 0, 0, 0, 0).Code(0x1400, 0xE8, 0, 0, 0, 0);
        StackFacts stack = Walk(image, 0x5555_0000, words);
        Assert.Equal(["Read !?+0x0", "Scanned test.dll!Work+0x55", "Scanned test.dll!ThreadStart+0x10"], Describe(stack));
        Assert.Equal(FrameKind.Unknown, stack.Frames[0].Kind);
        Assert.Null(stack.Stopped);
    }

    [Fact]
    public void A_call_to_nowhere_is_found_by_its_return_address()
        => Assert.Equal("Scanned test.dll!Work+0x55", Describe(Walk(Image(), 0, [ImageBase + 0x1155, 1, 2, 0, 0]))[1]);

    [Fact]
    public void Where_nothing_looks_like_a_return_address_the_reason_of_the_stop_is_given()
        => Assert.Equal("the address 0x55550000 lies outside every module", Walk(Image(), 0x5555_0000, [1, 2, 3]).Stopped?.Why);

    [Fact]
    public void Missing_unwind_data_is_named_with_its_module()
        => Assert.Equal("the unwind data of test.dll+0x1010 is not in the dump", Walk(null, ImageBase + 0x1010, [ImageBase + 0x1155, 0]).Stopped?.Why);

    [Fact]
    public void Missing_stack_memory_is_named_with_its_address()
        => Assert.Equal("the stack memory of test.dll+0x1154 at 0x100008 is not in the dump", Walk(Image(), ImageBase + 0x1010, [ImageBase + 0x1155], Stack + 0x1000).Stopped?.Why);

    [Fact]
    public void A_return_address_that_cannot_be_code_is_not_taken()
        => Assert.Contains("behind no call", Walk(Image(), ImageBase + 0x1010, [0x1F4, 1, 2, 3]).Stopped?.Why, StringComparison.Ordinal);

    [Fact]
    public void A_caller_beyond_the_stacks_base_is_not_taken()
        => Assert.Contains(
            "beyond the stack", Walk(Image(), ImageBase + 0x1010, [ImageBase + 0x1155, 1, 2, ImageBase + 0x1210], Stack + 24).Stopped?.Why, StringComparison.Ordinal);

    [Fact]
    public void A_caller_whose_stack_lies_below_is_not_taken()
    {
        ImageBytes image = new ImageBytes().Function(0x1100, 0x1200, Framed(4, Rbp, 0, SetFrame(4), Push(1, Rbp)));
        Assert.Contains("would not lie above", Walk(image, ImageBase + 0x1150, [1, 2, 3, 4]).Stopped?.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_stack_longer_than_the_limit_is_cut_and_says_so()
    {
        ulong[] words = [.. Enumerable.Repeat(ImageBase + 0x1155, 400)];
        StackFacts stack = Walk(Image(), ImageBase + 0x1010, words, 0, CaptureLimits.Default with { FramesPerThread = 20 });
        Assert.Equal(20, stack.Frames.Count);
        Assert.Equal("more than 20 frames of it are not read", stack.Stopped?.Why);
    }

    [Theory]
    [InlineData(new byte[] { 0xFF, 0xD0 })] // call rax
    [InlineData(new byte[] { 0x41, 0xFF, 0xD0 })] // call r8
    [InlineData(new byte[] { 0xFF, 0x15, 1, 2, 3, 4 })] // call [rip+x]
    [InlineData(new byte[] { 0xFF, 0x50, 8 })] // call [rax+8]
    [InlineData(new byte[] { 0xFF, 0x10 })] // call [rax]
    [InlineData(new byte[] { 0xFF, 0x90, 1, 2, 0, 0 })] // call [rax+0x201]
    [InlineData(new byte[] { 0xFF, 0x54, 0x24, 8 })] // call [rsp+8]
    [InlineData(new byte[] { 0xFF, 0x14, 0xC1 })] // call [rcx+rax*8]
    [InlineData(new byte[] { 0xFF, 0x14, 0xC5, 1, 2, 3, 4 })] // call [rax*8+x]
    [InlineData(new byte[] { 0x48, 0xFF, 0x94, 0x24, 1, 2, 3, 4 })] // call [rsp+x]
    public void Every_form_of_call_is_recognised_before_a_return_address(byte[] call)
    {
        ImageBytes image = Image().Code(0x1190 - (uint)call.Length, call);
        Assert.Equal("Scanned test.dll!Work+0x90", Describe(Walk(image, 0x5555_0000, [ImageBase + 0x1190, 1, 2, 0, 0]))[1]);
    }

    [Fact]
    public void All_stacks_together_are_bounded()
    {
        ulong[] words = [.. Enumerable.Repeat(ImageBase + 0x1155, 400)];
        StackFacts stack = Walk(Image(), ImageBase + 0x1010, words, 0, CaptureLimits.Default with { FramesPerProcess = 15 });
        Assert.Equal(15, stack.Frames.Count);
    }
}
