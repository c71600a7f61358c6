using System.Buffers.Binary;
using System.Globalization;

namespace HangTriage.Capture.Linux.Live;

/// <summary>
/// The registers of a stopped thread (user_regs_struct of x64, and what FXSAVE writes behind it where it was read), in the forms in which
/// others want them.
/// </summary>
internal static class ThreadRegistersX64
{
    /// <summary>As long as FXSAVE's area is.</summary>
    public const int FloatBytes = 512;

    private const int Size = 27 * sizeof(ulong);
    private const int R10At = 7 * sizeof(ulong);
    private const int R9At = 8 * sizeof(ulong);
    private const int R8At = 9 * sizeof(ulong);
    private const int RaxAt = 10 * sizeof(ulong);
    private const int RdxAt = 12 * sizeof(ulong);
    private const int RsiAt = 13 * sizeof(ulong);
    private const int RdiAt = 14 * sizeof(ulong);
    private const int OrigRaxAt = 15 * sizeof(ulong);
    private const int RipAt = 16 * sizeof(ulong);
    private const int FlagsAt = 18 * sizeof(ulong);
    private const int RspAt = 19 * sizeof(ulong);

    // What a system call returns that is broken off to be started again (ERESTARTNOHAND).
    private const long BrokenOff = -514;

    // CONTEXT of winnt.h: where each register of user_regs_struct goes, in the order of that struct. -1 for none.
    private static readonly int[] s_places =
    [
        0xF0, 0xE8, 0xE0, 0xD8, 0xA0, 0x90, 0xD0, 0xC8, 0xC0, 0xB8, 0x78, 0x80, 0x88, 0xA8, 0xB0, -1, 0xF8, -1, -1, 0x98,
    ];

    public static ulong StackPointer(ReadOnlySpan<byte> registers) => BinaryPrimitives.ReadUInt64LittleEndian(registers[RspAt..]);

    /// <summary>False where the place for them is too small.</summary>
    public static bool WriteContext(ReadOnlySpan<byte> registers, Span<byte> context)
    {
        const int contextSize = 1232;
        const int flagsAt = 0x30;
        const int processorFlagsAt = 0x44;
        const int floatsAt = 0x100;
        const uint controlAndIntegers = 0x0010_0003;
        if (context.Length < contextSize)
        {
            return false;
        }

        context.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(context[flagsAt..], controlAndIntegers);
        BinaryPrimitives.WriteUInt32LittleEndian(context[processorFlagsAt..], BinaryPrimitives.ReadUInt32LittleEndian(registers[FlagsAt..]));
        for (int i = 0; i < s_places.Length; i++)
        {
            if (s_places[i] >= 0)
            {
                registers.Slice(i * sizeof(ulong), sizeof(ulong)).CopyTo(context[s_places[i]..]);
            }
        }

        if (registers.Length == Size + FloatBytes)
        {
            registers[Size..].CopyTo(context[floatsAt..]);
        }

        return true;
    }

    /// <summary>Which system call the thread is in, by the same reading as for a core.</summary>
    public static void ReadCall(uint thread, ReadOnlySpan<byte> registers, Dictionary<uint, SystemCallState> calls)
    {
        const int threadIdAt = 32;
        const int registersAt = 112;
        Span<byte> status = stackalloc byte[registersAt + Size];
        status.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(status[threadIdAt..], thread);
        registers[..Size].CopyTo(status[registersAt..]);
        SystemCallState.ReadX64(status, calls);
    }

    /// <summary>
    /// Of a thread that the kernel works for and that cannot be stopped: the system call with its six arguments, stack pointer
    /// and instruction, as /proc/PID/task/TID/syscall has them. Null where it is in none.
    /// </summary>
    public static byte[]? OfCall(string? line)
    {
        string[] parts = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) ?? [];
        if (parts.Length != 9 || !long.TryParse(parts[0], CultureInfo.InvariantCulture, out long number) || number < 0)
        {
            return null;
        }

        byte[] registers = new byte[Size];
        int[] places = [RdiAt, RsiAt, RdxAt, R10At, R8At, R9At, RspAt, RipAt];
        for (int i = 0; i < places.Length; i++)
        {
            string text = parts[i + 1];
            if (!text.StartsWith("0x", StringComparison.Ordinal) || !ulong.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong value))
            {
                return null;
            }

            BinaryPrimitives.WriteUInt64LittleEndian(registers.AsSpan(places[i]), value);
        }

        BinaryPrimitives.WriteInt64LittleEndian(registers.AsSpan(OrigRaxAt), number);
        BinaryPrimitives.WriteInt64LittleEndian(registers.AsSpan(RaxAt), BrokenOff);
        return registers;
    }
}
