using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>
/// When the waits of threads in futex(2) end by themselves: what waits with a time limit on Linux hands the kernel the moment at which it
/// gives up, on the clock that the runtime counts its own times on (CLOCK_MONOTONIC).
/// </summary>
internal static class FutexDeadlines
{
    // FUTEX_WAIT_BITSET, the operation whose timeout is a moment and no length, without FUTEX_CLOCK_REALTIME.
    private const uint WaitUntil = 9;
    private const uint OperationMask = 0x7F;
    private const uint RealTime = 0x100;
    private const uint NanosecondsPerSecond = 1_000_000_000;

    /// <summary>
    /// The time since that clock's start; null for a thread that is in no such wait, or whose registers or memory are not in the input.
    /// </summary>
    public static TimeSpan? Of(IDataReader reader, uint thread)
        => ArgumentsOf(reader, thread) is { } call
            && ((uint)call.Operation & OperationMask) == WaitUntil && ((uint)call.Operation & RealTime) == 0 && call.Timeout != 0
            && reader.Read(call.Timeout, out long seconds) && reader.Read(call.Timeout + sizeof(long), out long nanoseconds)
            && seconds is >= 0 and <= int.MaxValue && nanoseconds is >= 0 and < NanosecondsPerSecond
                ? TimeSpan.FromSeconds(seconds) + TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick)
                : null;

    private static (ulong Operation, ulong Timeout)? ArgumentsOf(IDataReader reader, uint thread) => reader.Architecture switch
    {
        // CONTEXT of winnt.h: rsi, r10 and rip; arm64: x8 has the call's number, 98, x1 and x3 the arguments.
        Architecture.X64 => ThreadRegisters.ContextOf(reader, thread) is { } context
            && IsBehind(reader, At(context, ContextX64.Rip), [0x0F, 0x05])
            ? (At(context, 0xA8), At(context, 0xC8))
            : null,
        Architecture.Arm64 => ThreadRegisters.ContextOf(reader, thread) is { } context && At(context, 0x48) == 98
            && IsBehind(reader, At(context, 0x108), [0x01, 0x00, 0x00, 0xD4])
            ? (At(context, 0x10), At(context, 0x20))
            : null,
        _ => null,
    };

    private static ulong At(byte[] context, int offset) => BitConverter.ToUInt64(context, offset);

    // The thread stands behind the instruction that calls the kernel.
    private static bool IsBehind(IDataReader reader, ulong ip, ReadOnlySpan<byte> instruction)
    {
        Span<byte> before = stackalloc byte[instruction.Length];
        return ip > (ulong)before.Length && reader.Read(ip - (ulong)before.Length, before) == before.Length
            && before.SequenceEqual(instruction);
    }
}
