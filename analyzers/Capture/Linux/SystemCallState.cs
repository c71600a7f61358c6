using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Linux;

/// <summary>Whether a thread was in a system call when its registers were saved.</summary>
/// <param name="IsInside">It was; false means that it was on a processor or ready for one.</param>
/// <param name="Number">The number of the call; of no use where it was in none.</param>
/// <param name="HasTimeout">Whether the call was given a timeout; null where it takes none or is not known.</param>
internal sealed record SystemCallState(bool IsInside, uint Number, bool? HasTimeout)
{
    // elf_prstatus: the thread's id, and the 27 registers of user_regs_struct.
    private const int ThreadIdAt = 32;
    private const int RegistersAt = 112;
    private const int R10At = RegistersAt + (7 * sizeof(ulong));
    private const int R8At = RegistersAt + (9 * sizeof(ulong));
    private const int RaxAt = RegistersAt + (10 * sizeof(ulong));
    private const int RdxAt = RegistersAt + (12 * sizeof(ulong));
    private const int RsiAt = RegistersAt + (13 * sizeof(ulong));
    private const int RdiAt = RegistersAt + (14 * sizeof(ulong));
    private const int RipAt = RegistersAt + (16 * sizeof(ulong));
    private const int RspAt = RegistersAt + (19 * sizeof(ulong));
    private const int OrigRaxAt = RegistersAt + (15 * sizeof(ulong));
    private const int RegistersSize = 27 * sizeof(ulong);

    // The kernel keeps the number of the call in orig_rax, -1 for every other way in. What a call that is broken off for the
    // dump returns: EINTR, one of the four codes by which the kernel starts it again, or, before it began, ENOSYS.
    private const long Interrupted = -4;
    private const long NotBegun = -38;
    private const long FirstRestart = -516;
    private const long LastRestart = -512;

    /// <summary>What it waits for in futex(2); null in other calls.</summary>
    public FutexWait? Futex { get; init; }

    public static void ReadX64(ReadOnlySpan<byte> status, Dictionary<uint, SystemCallState> calls)
    {
        // No thread stands at 0 on a stack at 0: such registers were lost.
        if (status.Length < RegistersAt + RegistersSize || (ElfFields.U64(status, RipAt) == 0 && ElfFields.U64(status, RspAt) == 0))
        {
            return;
        }

        long number = (long)ElfFields.U64(status, OrigRaxAt);
        long result = (long)ElfFields.U64(status, RaxAt);
        bool isInside = number is >= 0 and <= int.MaxValue
            && (result is Interrupted or NotBegun or (>= FirstRestart and <= LastRestart) || IsPartOfWrite(number, result, (long)ElfFields.U64(status, RdxAt)));
        bool? hasTimeout = isInside
            ? SystemCallTimeouts.Of((uint)number, ElfFields.U64(status, RsiAt), ElfFields.U64(status, RdxAt), ElfFields.U64(status, R10At), ElfFields.U64(status, R8At))
            : null;
        FutexWait? futex = isInside && number == FutexWait.Number
            ? new FutexWait(ElfFields.U64(status, RdiAt), (uint)ElfFields.U64(status, RsiAt), (uint)ElfFields.U64(status, RdxAt))
            : null;
        calls.TryAdd(ElfFields.U32(status, ThreadIdAt), new SystemCallState(isInside, isInside ? (uint)number : 0, hasTimeout) { Futex = futex });
    }

    // A write that waits for room and is broken off returns what it has written so far.
    private static bool IsPartOfWrite(long number, long written, long wanted)
        => LinuxCalls.Table.Find((uint)number)?.Name is "write" or "sendto" && written > 0 && written < wanted;
}
