using HangTriage.Capture;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>Code outside every image, as the .NET JIT makes it: no unwind data, and rbp as the frame pointer.</summary>
public sealed class FrameChainTests
{
    private const ulong ImageBase = UnwindFixture.ImageBase;
    private const ulong Stack = UnwindFixture.Stack;
    private const ulong Jitted = 0x5555_0000;
    private const ulong BehindCall = Jitted + 0x25;
    private const ulong Work = ImageBase + 0x1155;
    private const ulong Teb = 0x7000_0000;

    [Fact]
    public void A_chain_of_frame_pointers_leads_from_jitted_code_to_native_code_without_a_guess()
    {
        ulong[] words = [1, 2, At(6), BehindCall, 3, 4, 0, Work, 5, 6, 0, 0];

        StackFacts stack = Walk(At(2), words);

        Assert.Equal([Jitted, BehindCall, Work], Ips(stack));
        Assert.Equal([Stack, At(4), At(8)], stack.Frames.Select(frame => frame.Sp.Value));
        Assert.Equal([Trust.Read, Trust.Derived, Trust.Derived], stack.Frames.Select(frame => frame.Trust));
        Assert.Null(stack.Stopped);
    }

    [Theory]
    [InlineData(BehindCall)]
    [InlineData(Work)]
    public void A_frame_with_another_word_that_could_be_a_return_address_makes_the_rest_a_guess(ulong other)
    {
        ulong[] words = [1, other, At(6), BehindCall, 3, 4, 0, Work, 5, 6, 0, 0];

        StackFacts stack = Walk(At(2), words);

        Assert.Equal([Jitted, BehindCall, Work], Ips(stack));
        Assert.Equal([Trust.Read, Trust.Scanned, Trust.Scanned], stack.Frames.Select(frame => frame.Trust));
    }

    [Theory]
    [InlineData(0x100ul)] // beyond the stack
    [InlineData(Stack + 17)] // not aligned
    [InlineData(Stack - 8)] // below the frame
    [InlineData(Stack + 8)] // no return address behind it
    [InlineData(0ul)]
    public void A_frame_pointer_that_leads_nowhere_leaves_it_to_the_scan(ulong rbp)
    {
        StackFacts stack = Walk(rbp, [1, 2, 3, Work, 5, 6, 0, 0]);

        Assert.Equal([Jitted, Work], Ips(stack));
        Assert.Equal(Trust.Scanned, stack.Frames[1].Trust);
    }

    [Fact]
    public void A_chain_that_points_to_itself_ends()
    {
        StackFacts stack = Walk(At(2), [1, 2, At(2), BehindCall, 3, Work, 0, 0, 0]);

        Assert.Equal([Jitted, BehindCall, Work], Ips(stack));
        Assert.Equal(Trust.Scanned, stack.Frames[2].Trust);
    }

    private static ulong At(int word) => Stack + ((ulong)word * sizeof(ulong));

    private static IEnumerable<ulong> Ips(StackFacts stack) => stack.Frames.Select(frame => frame.Ip.Value);

    private static StackFacts Walk(ulong rbp, ulong[] words)
    {
        byte[] code = new byte[0x40];
        code[0x20] = 0xE8; // call rel32, which ends at 0x25
        FakeProcess process = new();
        process.Module("test.dll", ImageBase, ImageBytes.Size);
        process.Memory(ImageBase, new ImageBytes().Function(0x1100, 0x1200, Info(4, AllocSmall(4, 16))).Code(0x1150, 0xE8, 0, 0, 0, 0).Build());
        process.Memory(Jitted, code);
        process.Words(Stack, words);
        process.Words(Teb, 0, At(words.Length), Stack, 0, 0, 0, Teb, 0, 4, 7, 0, 0, 0x6000_0000, 0);
        process.Thread(7, Teb, FakeProcess.Context(Jitted, Stack, (Rbp, rbp)));
        return WindowsCapture.Read(process, CaptureContext.Default).Threads.Value[0].Stack;
    }
}
