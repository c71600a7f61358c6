using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// The words of a thread's stack below its innermost managed frame: what the runtime's own code was given. Some are left over from calls
/// before.
/// </summary>
internal static class NativeWords
{
    private const int MostBytes = 16 << 10;

    public static HashSet<ulong> Of(ClrThread thread, IEnumerable<ClrStackFrame> frames)
    {
        IDataReader reader = thread.Runtime.DataTarget.DataReader;
        if (frames.FirstOrDefault(frame => frame.Kind == ClrStackFrameKind.ManagedMethod) is not { } managed
            || ThreadRegisters.Of(reader, thread.OSThreadId) is not { } registers
            || registers.Sp >= managed.StackPointer)
        {
            return [];
        }

        byte[] memory = new byte[(int)Math.Min(managed.StackPointer - registers.Sp, MostBytes)];
        Span<byte> read = memory.AsSpan(0, reader.Read(registers.Sp, memory));
        return reader.PointerSize == sizeof(ulong)
            ? [.. MemoryMarshal.Cast<byte, ulong>(read[..(read.Length / sizeof(ulong) * sizeof(ulong))])]
            : [.. MemoryMarshal.Cast<byte, uint>(read[..(read.Length / sizeof(uint) * sizeof(uint))]).ToArray()
                .Select(word => (ulong)word)];
    }
}
