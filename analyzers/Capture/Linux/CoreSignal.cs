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
