using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.Capture.Windows.Images;
using HangTriage.Capture.Windows.Unwind;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>One step of the unwinder from an address in a hand-made image, on a stack of words.</summary>
internal sealed class UnwindFixture
{
    public const ulong ImageBase = 0x7FF6_0000_0000;
    public const ulong Stack = 0x10_0000;
    public const ulong ReturnAddress = ImageBase + 0x2345;

    private readonly FakeProcess _process = new();

    public UnwindFixture(ImageBytes image, params ulong[] stack)
    {
        _process.Module("test.dll", ImageBase, ImageBytes.Size);
        _process.Memory(ImageBase, image.Build());
        _process.Words(Stack, stack);
    }

    /// <param name="rva">Where the frame's instruction pointer is.</param>
    /// <param name="isReturnAddress">Whether a call returns there.</param>
    /// <param name="others">Registers beside rip and rsp; all that are not given are 0.</param>
    public Stepped Step(uint rva, bool isReturnAddress = false, params (int Register, ulong Value)[] others)
    {
        TargetMemory memory = new(_process);
        ImageMap images = new(_process.Modules.Value, memory, CaptureLimits.Default);
        Assert.True(X64Registers.TryParse(FakeProcess.Context(ImageBase + rva, Stack, others), out X64Registers registers));
        UnwindStatus status = new X64Unwinder(memory, images, CaptureLimits.Default).Step(ref registers, ref isReturnAddress);
        return new Stepped(status, registers, isReturnAddress);
    }

    /// <summary>The words below <paramref name="words"/> are 0x1000, 0x1001, ...; the return address follows them.</summary>
    public static ulong[] Words(int words)
    {
        ulong[] stack = new ulong[words + 1];
        for (int i = 0; i < words; i++)
        {
            stack[i] = 0x1000 + (ulong)i;
        }

        stack[words] = ReturnAddress;
        return stack;
    }

    internal sealed record Stepped(UnwindStatus Status, X64Registers Registers, bool IsReturnAddress)
    {
        public ulong this[int register] => Registers.TryGet(register, out ulong value) ? value : throw new InvalidOperationException("not known");

        /// <summary>The return address was taken that lies behind so many words.</summary>
        public void AssertReturnsBehind(int words)
        {
            Assert.Equal(UnwindStatus.Done, Status);
            Assert.Equal(new Address(ReturnAddress), new Address(Registers.Rip));
            Assert.Equal(new Address(Stack + ((ulong)words * 8) + 8), new Address(Registers.Rsp));
        }
    }
}
