using System.Buffers.Binary;
using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Reading;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>
/// Threads that were caught in native code which the runtime calls without leaving a frame of its own: SpinWait, a copy of memory, a write
/// barrier. Its stack walker does not see who called. Such a thread is shown as it stands in its managed caller, which the chain of frame
/// pointers leads to: the runtime's own code and compiled methods keep one on Linux.
/// </summary>
internal static class NativeLeaves
{
    private const int ContextSize = 1232;
    private const int RspAt = 0x98;
    private const int RbpAt = 0xA0;
    private const int RipAt = 0xF8;
    private const int MostFrames = 64;

    // Code without a frame of its own is short, as the runtime's write barriers are.
    private const ulong LargestLeaf = 1024;

    private const byte Return = 0xC3;

    private static ReadOnlySpan<byte> SystemCall => [0x0F, 0x05];

    // push rbp; mov rbp, rsp.
    private static ReadOnlySpan<byte> Prologue => [0x55, 0x48, 0x89, 0xE5];

    // endbr64, which can stand before that.
    private static ReadOnlySpan<byte> BranchTarget => [0xF3, 0x0F, 0x1E, 0xFA];

    /// <summary>Nothing happens where the target cannot show other registers, or is of another processor.</summary>
    public static void StandIn(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, CaptureContext context)
    {
        IDataReader reader = runtime.DataTarget.DataReader;
        if (reader is not IContextStandIn shown || reader.Architecture != Architecture.X64 || reader.TargetPlatform != OSPlatform.Linux)
        {
            return;
        }

        // The frames of a walk before its registers are replaced are not to be kept.
        CacheOptions caches = runtime.DataTarget.CacheOptions;
        bool keepsFrames = caches.CacheStackTraces;
        caches.CacheStackTraces = false;
        using OptionalReads optional = new(reader);
        try
        {
            foreach (ClrThread thread in threads.Where(thread => thread.GCMode == GCMode.Cooperative))
            {
                context.Step();
                if (Caller(thread, reader).TryGet(out byte[]? caller))
                {
                    shown.StandIn(thread.OSThreadId, caller);
                }
            }
        }
        finally
        {
            caches.CacheStackTraces = keepsFrames;
        }
    }

    // A thread whose registers or stack cannot be read is shown as it was caught, and its own walk says what is wrong.
    private static Known<byte[]> Caller(ClrThread thread, IDataReader reader)
        => Attempt.Read("managed caller", () => CallerOf(thread, reader) is { } caller ? Known.Derived(caller) : Known.Unknown<byte[]>("managed caller", "there is none"));

    private static byte[]? CallerOf(ClrThread thread, IDataReader reader)
    {
        byte[] context = new byte[ContextSize];
        if (!reader.GetThreadContext(thread.OSThreadId, 0, context) || Register(context, RipAt) is not (> 0 and ulong ip) || IsManaged(thread, ip) || IsAtSystemCall(reader, ip))
        {
            return null;
        }

        ulong sp = Register(context, RspAt);
        ulong frame = Register(context, RbpAt);
        if (ReturnAddressAt(reader, ip, sp) is { } place && reader.ReadPointer(place, out ulong known) && IsManaged(thread, known))
        {
            return With(context, thread, known, place + sizeof(ulong), frame);
        }

        if (reader.ReadPointer(sp, out ulong direct) && IsManaged(thread, direct) && CallTarget.Of(reader, direct) is { } target && ip - target < LargestLeaf)
        {
            return With(context, thread, direct, sp + sizeof(ulong), frame);
        }

        for (int count = 0; count < MostFrames && frame >= sp && frame % sizeof(ulong) == 0; count++)
        {
            if (!reader.ReadPointer(frame, out ulong outer) || !reader.ReadPointer(frame + sizeof(ulong), out ulong caller))
            {
                return null;
            }

            if (IsManaged(thread, caller))
            {
                return With(context, thread, caller, frame + (2 * sizeof(ulong)), outer);
            }

            (sp, frame) = (frame + 1, outer);
        }

        return null;
    }

    /// <summary>
    /// Where the return address stands of a function that has yet to make its frame, or has given it up and is about to return: the frame
    /// pointer is its caller's, and the chain of them passes over that one. Null where the frame pointer may be its own.
    /// </summary>
    public static ulong? ReturnAddressAt(IMemoryReader reader, ulong ip, ulong sp)
    {
        Span<byte> code = stackalloc byte[1 + Prologue.Length];
        if (reader.Read(ip - 1, code) != code.Length)
        {
            return null;
        }

        ReadOnlySpan<byte> next = code[1..];
        return next[0] == Return || next.SequenceEqual(Prologue) || next.SequenceEqual(BranchTarget) ? sp
            : code[..Prologue.Length].SequenceEqual(Prologue) ? sp + sizeof(ulong)
            : null;
    }

    // Where the runtime's own walk finds a caller that is as deep, it knows better. A walk that fails may give a frame of no method.
    private static byte[]? With(byte[] context, ClrThread thread, ulong ip, ulong sp, ulong frame)
    {
        ulong? found = thread.EnumerateStackTrace()
            .FirstOrDefault(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null })?.StackPointer;
        if (found <= sp)
        {
            return null;
        }

        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RipAt), ip);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RspAt), sp);
        BinaryPrimitives.WriteUInt64LittleEndian(context.AsSpan(RbpAt), frame);
        return context;
    }

    // Whoever blocks in the system is told by its call, and none of this code makes one on its way.
    private static bool IsAtSystemCall(IDataReader reader, ulong ip)
    {
        Span<byte> code = stackalloc byte[SystemCall.Length];
        return reader.Read(ip - (uint)code.Length, code) == code.Length && code.SequenceEqual(SystemCall);
    }

    private static bool IsManaged(ClrThread thread, ulong ip) => ip != 0 && thread.Runtime.GetMethodByInstructionPointer(ip) is not null;

    private static ulong Register(byte[] context, int at) => BinaryPrimitives.ReadUInt64LittleEndian(context.AsSpan(at));
}
