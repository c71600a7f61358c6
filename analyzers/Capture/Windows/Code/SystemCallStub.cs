using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Code;

/// <summary>Tells by the instruction before it whether a thread's instruction pointer lies behind a system call.</summary>
internal static class SystemCallStub
{
    private static ReadOnlySpan<byte> SystemCall => [0x0F, 0x05];

    private static ReadOnlySpan<byte> Interrupt => [0xCD, 0x2E];

    /// <summary>call [0x7FFE1000]: how Wine's stubs get to its kernel.</summary>
    private static ReadOnlySpan<byte> WineCall => [0xFF, 0x14, 0x25, 0x00, 0x10, 0xFE, 0x7F];

    public static Known<bool> IsBehind(TargetMemory memory, ulong ip)
    {
        Span<byte> bytes = stackalloc byte[WineCall.Length];
        return memory.TryRead(unchecked(ip - (ulong)bytes.Length), bytes)
            ? Known.Derived(bytes.EndsWith(SystemCall) || bytes.EndsWith(Interrupt) || bytes.SequenceEqual(WineCall))
            : Known.Unknown<bool>("system call", $"the code before {new Address(ip)} {memory.Absent}");
    }
}
