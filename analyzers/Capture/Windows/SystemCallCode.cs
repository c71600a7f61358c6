using System.Buffers.Binary;

namespace HangTriage.Capture.Windows;

/// <summary>What the code before a thread's instruction says: a thread in the kernel stands right behind the instruction that took it there.</summary>
/// <param name="IsInside">That instruction is one that makes a system call.</param>
/// <param name="Number">The number of the call; null where the code does not say, as where a hook's jump overwrote it.</param>
/// <param name="HasStub">The stub of the call is the caller's: old 32-bit systems share one instruction among all stubs.</param>
internal sealed record SystemCallCode(bool IsInside, uint? Number = null, bool HasStub = false)
{
    private const int Longest = 0x18;
    private const byte MoveEax = 0xB8;
    private const byte NoOperation = 0x90;

    // Only this half is the number in WoW64; the other says how the arguments are to be passed on.
    private const uint Wow64Number = 0xFFFF;

    private static readonly SystemCallCode s_outside = new(false);

    private static ReadOnlySpan<byte> SysCall => [0x0F, 0x05];

    private static ReadOnlySpan<byte> SysEnter => [0x0F, 0x34];

    private static ReadOnlySpan<byte> Interrupt => [0xCD, 0x2E];

    /// <summary>lea esp, [esp]: fills the room behind sysenter on some systems.</summary>
    private static ReadOnlySpan<byte> Filler => [0x8D, 0xA4, 0x24, 0, 0, 0, 0];

    /// <summary>call fs:[0C0h]: WoW64 before Windows 10.</summary>
    private static ReadOnlySpan<byte> CallWow64 => [0x64, 0xFF, 0x15, 0xC0, 0, 0, 0];

    /// <summary>call edx</summary>
    private static ReadOnlySpan<byte> CallEdx => [0xFF, 0xD2];

    /// <summary>mov edx, 7FFE0300h; call [edx]</summary>
    private static ReadOnlySpan<byte> CallShared => [0xBA, 0x00, 0x03, 0xFE, 0x7F, 0xFF, 0x12];

    /// <summary>Null where the target does not have the code.</summary>
    public static SystemCallCode? Read(TargetMemory memory, ulong ip, ulong sp, int pointerSize)
    {
        Span<byte> code = stackalloc byte[Longest];
        return pointerSize == sizeof(ulong) ? (TryRead(memory, ip, code) || TryReadFirst(memory, ip, code) ? OfX64(code) : null)
            : TryRead(memory, ip, code) ? OfX86(memory, code, sp)
            : null;
    }

    /// <summary>mov r10, rcx; mov eax, number; then, from Windows 10 on, a test and a jump; syscall; ret; int 2e; ret.</summary>
    private static SystemCallCode OfX64(ReadOnlySpan<byte> code)
    {
        if (!code.EndsWith(SysCall) && !code.EndsWith(Interrupt))
        {
            return s_outside;
        }

        foreach (int distance in (ReadOnlySpan<int>)(code.EndsWith(SysCall) ? [0x14, 0x0A] : [0x17]))
        {
            ReadOnlySpan<byte> stub = code[^distance..];
            if (stub.StartsWith((ReadOnlySpan<byte>)[0x4C, 0x8B, 0xD1, MoveEax]))
            {
                return new SystemCallCode(true, BinaryPrimitives.ReadUInt32LittleEndian(stub[4..]));
            }
        }

        return new SystemCallCode(true);
    }

    /// <summary>mov eax, number; then a call of WoW64, or of a stub that all calls share and that ends with sysenter or int 2e.</summary>
    private static SystemCallCode OfX86(TargetMemory memory, ReadOnlySpan<byte> code, ulong sp)
    {
        if (code.EndsWith(CallWow64))
        {
            return new SystemCallCode(true, (NumberAt(code, 0x15) ?? NumberAt(code, 0x12)) & Wow64Number);
        }

        if (code.EndsWith(CallEdx) && code[^7] == 0xBA && NumberAt(code, 12) is { } passed)
        {
            return new SystemCallCode(true, passed & Wow64Number);
        }

        ReadOnlySpan<byte> trap = code.TrimEnd(NoOperation);
        trap = trap.EndsWith(Filler) ? trap[..^Filler.Length] : trap;
        if (!trap.EndsWith(SysEnter) && !code.EndsWith(Interrupt))
        {
            return s_outside;
        }

        // The thread returns with a plain ret, to the stub that has the number.
        Span<byte> stub = stackalloc byte[Longest];
        return memory.TryReadUInt32(sp, out uint caller) && TryRead(memory, caller, stub)
            ? new SystemCallCode(true, stub.EndsWith(CallShared) ? NumberAt(stub, 12) : stub[^5] == 0xE8 ? NumberAt(stub, 10) : null, HasStub: true)
            : new SystemCallCode(true, HasStub: true);
    }

    private static uint? NumberAt(ReadOnlySpan<byte> code, int distance)
        => code[^distance] == MoveEax ? BinaryPrimitives.ReadUInt32LittleEndian(code[^(distance - 1)..]) : null;

    // Code that its memory begins with, as the helpers that .NET copies to pages of their own: nothing is before it.
    private static bool TryReadFirst(TargetMemory memory, ulong end, Span<byte> code)
    {
        int length = (int)(end % TargetMemory.PageSize);
        if (length < SysCall.Length || length >= Longest)
        {
            return false;
        }

        code.Clear();
        return TryRead(memory, end, code, length);
    }

    // Code of zeros is none: its memory was lost.
    private static bool TryRead(TargetMemory memory, ulong end, Span<byte> code, int length = Longest)
        => end > Longest && memory.TryRead(end - (ulong)length, code[^length..]) && code.ContainsAnyExcept((byte)0);
}
