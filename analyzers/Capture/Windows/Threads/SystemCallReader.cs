using System.Buffers.Binary;
using System.Collections.Frozen;
using HangTriage.Capture.Windows.Locks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Windows.Threads;

/// <summary>
/// Tells which system call a thread is in: by the code of the stub that it stands in, by the stub's exported name, and,
/// where neither is there, by the number that Windows 10 1709 and later leave in rax.
/// </summary>
internal static class SystemCallReader
{
    private const string What = "system call";
    private const int LongestStub = 0x16;
    private const uint FirstThatKeepsNumber = 16299;
    private const uint FirstWithThisTable = 10240;
    private const uint HighestNumber = 0x1FFF;

    /// <returns>Null where the thread is in none.</returns>
    public static Known<SystemCallFacts>? Read(LockContext context, ThreadView thread)
    {
        if (thread.Frames is not [FrameFacts top, ..])
        {
            return Known.Unknown<SystemCallFacts>(What, "the target has no registers of this thread");
        }

        SystemCallCode? code = SystemCallCode.Read(context.Memory, top.Ip.Value, top.Sp.Value, context.Layout.PointerSize);
        FrameFacts stub = code is { HasStub: true } && thread.Frames.Count > 1 ? thread.Frames[1] : top;
        bool isStub = IsNamedStub(stub);
        Known<uint> number = code is { Number: { } inCode } ? Known.Read(inCode)
            : code is null or { IsInside: true } && WindowsModules.MakesSystemCalls(top) && NumberInRegister(context, thread) is { } inRegister ? Known<uint>.Of(inRegister, Trust.Scanned)
            : Known.Unknown<uint>("number", "the thread's code does not say");
        if (!number.HasValue && !isStub && code is not { IsInside: true })
        {
            return code is null && WindowsModules.MakesSystemCalls(top)
                ? Known.Unknown<SystemCallFacts>(What, $"the code at {top.Ip} {context.Memory.Absent}")
                : null; // its code makes no system call, or none is there and nothing else makes such calls
        }

        Known<string> name = isStub ? Known.Derived(CallNames.Canonical(stub.Method!)) : NameByNumber(context, number);
        return Known.Derived(new SystemCallFacts(number, name) { Delay = name.Is(called => called == WindowsCalls.Sleep) ? SleepLength.Read(context, thread, number) : null });
    }

    private static Known<string> NameByNumber(LockContext context, Known<uint> number)
        => !context.Loader.IsWine && context.Layout.PointerSize == sizeof(ulong)
            && context.Loader.OsBuild.Is(build => build >= FirstWithThisTable)
            && number.TryGet(out uint value) && WindowsCalls.Table.Find(value) is { Name: var name }
                ? Known<string>.Of(name, Trust.Assumed)
                : Known.Unknown<string>("name", number.TryGet(out uint unnamed) ? $"neither an export nor number 0x{unnamed:x} tells it" : "neither an export nor a number tells it");

    private static uint? NumberInRegister(LockContext context, ThreadView thread)
        => !context.Loader.IsWine
            && context.Loader.OsBuild.Is(build => build >= FirstThatKeepsNumber)
            && thread.Registers is [var registers, ..]
            && registers.TryGet(0, out ulong rax) && rax is > 0 and <= HighestNumber
                ? (uint)rax
                : null;

    private static bool IsNamedStub(FrameFacts top)
        => WindowsModules.MakesSystemCalls(top) && top.Method is { } method && top.MethodOffset is > 0 and <= LongestStub
            && CallNames.IsSystemCall(method);
}
