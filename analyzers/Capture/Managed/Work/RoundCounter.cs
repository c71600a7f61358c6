using System.Buffers.Binary;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Work;

/// <summary>
/// The word in which code that is not optimised yet counts the rounds of its loops (on-stack replacement): it changes with each round,
/// and is none of the method's variables. At the end of each round stands "cmp dword ptr [rbp+x], 0", a jump, and "lea argument, [rbp+x]"
/// for the call to the runtime.
/// </summary>
internal static class RoundCounter
{
    private const int MostCode = 64 << 10;
    private const int MostBetween = 8;

    private const byte Compare = 0x83;
    private const byte Wide = 0x48;
    private const byte AddressOf = 0x8D;

    // ModRM: [rbp + 8 bits] and [rbp + 32 bits], with /7 for the comparison, and rdi (System V) or rcx (Windows) for the address.
    private const byte CompareNear = 0x7D;
    private const byte CompareFar = 0xBD;
    private static readonly byte[] s_addressNear = [0x7D, 0x4D];
    private static readonly byte[] s_addressFar = [0xBD, 0x8D];

    /// <summary>Where it is from the frame pointer on; null where the method has none, or its code cannot be read.</summary>
    public static int? Of(ClrRuntime runtime, ClrStackFrame frame)
    {
        if (frame.Method?.HotColdInfo is not { HotSize: > 0 and <= MostCode } code || frame.InstructionPointer < code.HotStart
            || frame.InstructionPointer - code.HotStart > code.HotSize)
        {
            return null;
        }

        byte[] bytes = new byte[code.HotSize];
        return runtime.DataTarget.DataReader.Read(code.HotStart, bytes) == bytes.Length ? In(bytes) : null;
    }

    /// <summary>The same of a method's code.</summary>
    public static int? In(ReadOnlySpan<byte> code)
    {
        for (int at = 0; at < code.Length; at++)
        {
            if (Displacement(code[at..], [], Compare, [CompareNear], [CompareFar], out int length) is { } counter
                && at + length < code.Length && code[at + length] == 0
                && IsHandedOut(code[(at + length + 1)..], counter))
            {
                return counter;
            }
        }

        return null;
    }

    private static bool IsHandedOut(ReadOnlySpan<byte> code, int counter)
    {
        for (int at = 0; at < Math.Min(MostBetween, code.Length); at++)
        {
            if (Displacement(code[at..], [Wide], AddressOf, s_addressNear, s_addressFar, out _) == counter)
            {
                return true;
            }
        }

        return false;
    }

    private static int? Displacement(ReadOnlySpan<byte> code, ReadOnlySpan<byte> prefix, byte operation, ReadOnlySpan<byte> near,
        ReadOnlySpan<byte> far, out int length)
    {
        int start = prefix.Length + 2;
        length = start;
        if (code.Length < start + sizeof(int) || !code.StartsWith(prefix) || code[prefix.Length] != operation)
        {
            return null;
        }

        byte mode = code[prefix.Length + 1];
        if (near.Contains(mode))
        {
            length = start + 1;
            return (sbyte)code[start];
        }

        length = start + sizeof(int);
        return far.Contains(mode) ? BinaryPrimitives.ReadInt32LittleEndian(code[start..]) : null;
    }
}
