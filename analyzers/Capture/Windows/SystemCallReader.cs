using System.Buffers.Binary;
using System.Collections.Frozen;
using HangTriage.Capture.Windows.Locks;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows;

/// <summary>
/// Tells which system call a thread is in: by the code of the stub that it stands in, by the stub's exported name, and,
/// where neither is there, by the number that Windows 10 1709 and later leave in rax.
/// </summary>
internal static class SystemCallReader
{
    private const string What = "system call";
    private const string Sleep = "NtDelayExecution";
    private const int LongestStub = 0x16;
    private const uint FirstThatKeepsNumber = 16299;
    private const uint FirstWithThisTable = 10240;
    private const uint HighestNumber = 0x1FFF;

    // These numbers are the same in every x64 build of Windows 10 and 11 that is known.
    private static readonly FrozenDictionary<uint, string> s_names = new Dictionary<uint, string>
    {
        [0x04] = "NtWaitForSingleObject",
        [0x06] = "NtReadFile",
        [0x07] = "NtDeviceIoControlFile",
        [0x08] = "NtWriteFile",
        [0x09] = "NtRemoveIoCompletion",
        [0x34] = Sleep,
        [0x39] = "NtFsControlFile",
        [0x46] = "NtYieldExecution",
        [0x5B] = "NtWaitForMultipleObjects",
    }.ToFrozenDictionary();

    /// <returns>Null where the thread is in none.</returns>
    public static Known<SystemCallFacts>? Read(LockContext context, ThreadView thread)
    {
        if (thread.Frames is not [FrameFacts top, ..])
        {
            return Known.Unknown<SystemCallFacts>(What, "the target has no registers of this thread");
        }

        bool isStub = IsNamedStub(top);
        Known<uint> number = NumberInCode(context.Memory, top.Ip.Value, context.Layout.PointerSize, out bool hasCode);
        if (!number.HasValue && !isStub && hasCode)
        {
            return null;
        }

        if (!number.HasValue && !hasCode && IsSystemModule(top) && NumberInRegister(context, thread) is { } inRegister)
        {
            number = Known<uint>.Of(inRegister, Trust.Scanned);
        }

        if (!number.HasValue && !isStub)
        {
            return IsSystemModule(top)
                ? Known.Unknown<SystemCallFacts>(What, $"the code at {top.Ip} {context.Memory.Absent}")
                : null; // nothing else makes system calls
        }

        Known<string> name = isStub ? Known.Derived(top.Method!) : NameByNumber(context, number);
        return Known.Derived(new SystemCallFacts(number, name) { Delay = name.Is(called => called == Sleep) ? SleepLength.Read(context, thread, number) : null });
    }

    private static Known<string> NameByNumber(LockContext context, Known<uint> number)
        => !context.Loader.IsWine && context.Layout.PointerSize == sizeof(ulong)
            && context.Loader.OsBuild.Is(build => build >= FirstWithThisTable)
            && s_names.TryGetValue(number.Value, out string? name)
                ? Known<string>.Of(name, Trust.Assumed)
                : Known.Unknown<string>("name", $"neither an export nor number 0x{number.Value:x} tells it");

    /// <summary>
    /// x64: mov r10, rcx; mov eax, number; then, from Windows 10 on, a test and a jump; syscall, behind which the thread
    /// stands. x86 in WoW64: mov eax, number; ... call fs:[0C0h]; the upper half of its number is WoW64's own.
    /// </summary>
    private static Known<uint> NumberInCode(TargetMemory memory, ulong ip, int pointerSize, out bool hasCode)
    {
        Span<byte> code = stackalloc byte[LongestStub];
        hasCode = ip > LongestStub && memory.TryRead(ip - LongestStub, code);
        if (hasCode && pointerSize == sizeof(ulong) && code.EndsWith((ReadOnlySpan<byte>)[0x0F, 0x05]))
        {
            foreach (int distance in (ReadOnlySpan<int>)[0x14, 0x0A])
            {
                ReadOnlySpan<byte> stub = code[^distance..];
                if (stub.StartsWith((ReadOnlySpan<byte>)[0x4C, 0x8B, 0xD1, 0xB8]))
                {
                    return Known.Read(BinaryPrimitives.ReadUInt32LittleEndian(stub[4..]));
                }
            }
        }
        else if (hasCode && pointerSize == sizeof(uint) && code.EndsWith((ReadOnlySpan<byte>)[0x64, 0xFF, 0x15, 0xC0, 0, 0, 0]))
        {
            foreach (int distance in (ReadOnlySpan<int>)[0x15, 0x12])
            {
                if (code[^distance] == 0xB8)
                {
                    return Known.Read(BinaryPrimitives.ReadUInt32LittleEndian(code[^(distance - 1)..]) & 0xFFFF);
                }
            }
        }

        return Known.Unknown<uint>("number", "the thread's code does not say");
    }

    private static uint? NumberInRegister(LockContext context, ThreadView thread)
        => !context.Loader.IsWine
            && context.Loader.OsBuild.Is(build => build >= FirstThatKeepsNumber)
            && thread.Registers is [var registers, ..]
            && registers.TryGet(0, out ulong rax) && rax is > 0 and <= HighestNumber
                ? (uint)rax
                : null;

    private static bool IsNamedStub(FrameFacts top)
        => IsSystemModule(top) && top.Method is { } method && top.MethodOffset is > 0 and <= LongestStub
            && (method.StartsWith("Nt", StringComparison.Ordinal) || method.StartsWith("Zw", StringComparison.Ordinal));

    private static bool IsSystemModule(FrameFacts top)
        => WaitEntry.IsNtdll(top) || string.Equals(top.Module, "win32u.dll", StringComparison.OrdinalIgnoreCase);
}
