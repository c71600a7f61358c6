using System.Buffers.Binary;
using HangTriage.Facts;

namespace HangTriage.Capture.Linux;

/// <summary>The signal for which a core was written, of the NT_PRSTATUS note of a thread (elf_prstatus in linux/elfcore.h).</summary>
internal static class CoreSignal
{
    // Behind the three words of elf_siginfo; in each thread's note, the first is the one that got the signal.
    private const int CurrentSignalAt = 12;
    private const int ThreadIdAt32 = 24;
    private const int ThreadIdAt64 = 32;

    // siginfo_t of NT_SIGINFO (sigaction(2)): number, error, code; the sender behind them, aligned as a pointer.
    private const int CodeAt = 8;
    private const int SenderAt32 = 12;
    private const int SenderAt64 = 16;
    private const int SentByKill = 0;
    private const int SentByQueue = -1;
    private const int SentToThread = -6;

    /// <summary>Null where no signal is recorded, or one that is used to stop or look at a process: SIGQUIT, SIGTRAP, SIGSTOP.</summary>
    public static CrashFacts? Read(ReadOnlySpan<byte> status, bool is64Bit)
    {
        int threadAt = is64Bit ? ThreadIdAt64 : ThreadIdAt32;
        if (status.Length < threadAt + sizeof(uint))
        {
            return null;
        }

        ushort signal = BinaryPrimitives.ReadUInt16LittleEndian(status[CurrentSignalAt..]);
        uint thread = BinaryPrimitives.ReadUInt32LittleEndian(status[threadAt..]);
        return NameOf(signal) is { } name ? new CrashFacts(signal, name, thread == 0 ? null : new ThreadId(thread)) : null;
    }

    /// <summary>Who made the signal, of the NT_SIGINFO note.</summary>
    /// <param name="information">The note.</param>
    /// <param name="is64Bit">The core is of a 64-bit process.</param>
    /// <param name="signal">The signal that the core was written for.</param>
    /// <param name="process">The process; null where the core does not state it.</param>
    public static CrashOrigin OriginOf(ReadOnlySpan<byte> information, bool is64Bit, uint signal, uint? process)
    {
        int senderAt = is64Bit ? SenderAt64 : SenderAt32;
        if (information.Length < senderAt + sizeof(uint) || BinaryPrimitives.ReadUInt32LittleEndian(information) != signal)
        {
            return CrashOrigin.Unknown;
        }

        int code = BinaryPrimitives.ReadInt32LittleEndian(information[CodeAt..]);
        uint sender = BinaryPrimitives.ReadUInt32LittleEndian(information[senderAt..]);
        return code switch
        {
            > 0 => CrashOrigin.Fault,
            // A sender of 0 is outside of the process's namespace; createdump also writes it where the runtime aborts.
            SentByKill or SentByQueue or SentToThread when sender == 0 || process is null => CrashOrigin.Unknown,
            SentByKill or SentByQueue or SentToThread when sender != process => CrashOrigin.Sent,
            SentToThread => CrashOrigin.Abort,
            // A handler that sends the signal on to its own process hides who sent it first.
            _ => CrashOrigin.Unknown,
        };
    }

    // signal(7): those whose default ends the process with a core, and that nobody sends to look at one.
    private static string? NameOf(ushort signal) => signal switch
    {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        11 => "SIGSEGV",
        31 => "SIGSYS",
        _ => null,
    };
}
