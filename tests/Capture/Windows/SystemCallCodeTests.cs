using HangTriage.Capture.Windows;
using HangTriage.Facts;
using HangTriage.Tests.Capture.Windows.Locks;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A thread behind an instruction that makes a system call is in the kernel, and not on a processor.</summary>
public sealed class SystemCallCodeTests
{
    private const ulong Ip = 0x7700_1040;
    private const ulong Sp = 0x0012_F000;
    private const ulong Caller = 0x7700_2040;

    // mov eax, 4; mov edx, 77012340h; call edx: 32-bit programs in Windows 10 and 11. The upper half is WoW64's own.
    private static readonly byte[] s_callEdx = [0xB8, 0x04, 0x00, 0x0D, 0x00, 0xBA, 0x40, 0x23, 0x01, 0x77, 0xFF, 0xD2];

    // mov eax, 10Fh; mov edx, 7FFE0300h; call [edx]: 32-bit Windows up to 8.
    private static readonly byte[] s_callShared = [0xB8, 0x0F, 0x01, 0x00, 0x00, 0xBA, 0x00, 0x03, 0xFE, 0x7F, 0xFF, 0x12];

    // mov eax, 1A6h; call +3: 32-bit Windows 8 and later.
    private static readonly byte[] s_callNext = [0xB8, 0xA6, 0x01, 0x00, 0x00, 0xE8, 0x03, 0x00, 0x00, 0x00];

    private static readonly byte[] s_sysEnter = [0x8B, 0xD4, 0x0F, 0x34];

    public static TheoryData<byte[], byte[], int, uint?> Inside => new()
    {
        { s_callEdx, [], 4, 4u },
        { s_sysEnter, s_callShared, 4, 0x10Fu },
        { [.. s_sysEnter, 0x90, 0x90, 0x90, 0x90, 0x90], s_callShared, 4, 0x10Fu }, // Windows XP
        { [.. s_sysEnter, 0x8D, 0xA4, 0x24, 0, 0, 0, 0], s_callShared, 4, 0x10Fu },
        { s_sysEnter, s_callNext, 4, 0x1A6u },
        { s_sysEnter, [], 4, null },
        { [0x8D, 0x54, 0x24, 0x08, 0xCD, 0x2E], s_callShared, 4, 0x10Fu },
        { [0x4C, 0x8B, 0xD1, 0xB8, 0x04, 0, 0, 0, 0x0F, 0x05], [], 8, 4u },
        { [0x4C, 0x8B, 0xD1, 0xB8, 0x04, 0, 0, 0, 0xF6, 0x04, 0x25, 0x08, 0x03, 0xFE, 0x7F, 0x01, 0x75, 0x03, 0x0F, 0x05, 0xC3, 0xCD, 0x2E], [], 8, 4u },
        // A hook's jump over the start of the stub.
        { [0xE9, 0x11, 0x22, 0x33, 0x44, 0, 0, 0, 0xF6, 0x04, 0x25, 0x08, 0x03, 0xFE, 0x7F, 0x01, 0x75, 0x03, 0x0F, 0x05], [], 8, null },
    };

    [Theory]
    [MemberData(nameof(Inside))]
    public void A_thread_behind_it_is_in_the_kernel(byte[] code, byte[] caller, int pointerSize, uint? number)
    {
        SystemCallCode? read = Read(code, caller, pointerSize);

        Assert.Equal((true, number), (read?.IsInside ?? false, read?.Number));
    }

    [Theory]
    [InlineData(4, new byte[] { 0xFF, 0xD2 })] // any call through edx
    [InlineData(4, new byte[] { 0xBA, 0x40, 0x23, 0x01, 0x77, 0xFF, 0xD2 })]
    [InlineData(4, new byte[] { 0x0F, 0x05 })]
    [InlineData(8, new byte[] { 0x0F, 0x34 })]
    [InlineData(8, new byte[] { 0x0F, 0x05, 0xC3 })] // it has returned
    public void A_thread_behind_other_code_is_not(int pointerSize, byte[] code)
        => Assert.False(Read(code, [], pointerSize)!.IsInside);

    [Fact]
    public void Code_of_zeros_says_nothing()
    {
        FakeProcess process = new();
        process.Memory(Ip - 0x20, new byte[0x40]);

        Assert.Null(SystemCallCode.Read(new TargetMemory(process), Ip, Sp, 8));
    }

    /// <summary>.NET copies its write barrier to a page of its own, and no memory is before that page.</summary>
    [Theory]
    [InlineData(new byte[] { 0xC3, 0x66, 0x66, 0x90, 0x48, 0x89, 0x11 }, false)]
    [InlineData(new byte[] { 0x90, 0x90, 0x90, 0x90, 0x90, 0x0F, 0x05 }, true)]
    public void Code_that_its_memory_begins_with_says_as_much(byte[] code, bool isInside)
    {
        const ulong Page = Ip & ~0xFFFUL;
        FakeProcess process = new();
        process.Memory(Page, [.. code, .. new byte[0x40]]);

        Assert.Equal(isInside, SystemCallCode.Read(new TargetMemory(process), Page + (ulong)code.Length, Sp, 8)?.IsInside);
    }

    [Fact]
    public void A_32_bit_thread_of_Windows_10_in_a_call_has_its_number_and_name_and_does_not_run()
    {
        X86Hang hang = new();
        hang.InStub(0x108, "NtWaitForMultipleObjects", s_callEdx);

        ThreadFacts thread = Captured.Of(hang.ToMinidump(build: 19045)).Threads.Value[2];

        Assert.True(thread.IsInSystemCall!.Value);
        Assert.Equal((4u, "NtWaitForMultipleObjects"), (thread.SystemCall!.Value.Number.Value, thread.SystemCall.Value.Name.Value));
    }

    private static SystemCallCode? Read(byte[] code, byte[] caller, int pointerSize)
    {
        FakeProcess process = new() { Architecture = pointerSize == 4 ? TargetArchitecture.X86 : TargetArchitecture.X64 };
        process.Memory(Ip - 0x40, Before(code));
        process.Memory(Caller - 0x40, Before(caller));
        process.Words(Sp, Caller);
        return SystemCallCode.Read(new TargetMemory(process), Ip, Sp, pointerSize);
    }

    private static byte[] Before(byte[] code) => [.. Enumerable.Repeat((byte)0xCC, 0x40 - code.Length), .. code];
}
