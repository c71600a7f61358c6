using HangTriage.Capture;
using HangTriage.Capture.Linux;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic.Elf;

namespace HangTriage.Tests.Capture.Linux;

/// <summary>What a core says of the signal that it was written for.</summary>
public sealed class CoreSignalTests
{
    [Theory]
    [InlineData(11, "SIGSEGV")]
    [InlineData(6, "SIGABRT")]
    public void A_fatal_signal_is_a_crash_in_the_thread_that_got_it(ushort signal, string name)
        => Assert.Equal(new CrashFacts(signal, name, new ThreadId(0x4711)), Crash(signal));

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(5)]
    [InlineData(19)]
    public void What_stops_a_process_to_look_at_it_is_none(ushort signal) => Assert.Null(Crash(signal));

    // siginfo_t (sigaction(2)): SEGV_MAPERR, SI_TKILL as abort sends it, SI_USER. createdump states a sender of 0 where the runtime aborts.
    [Theory]
    [InlineData(11, 1, 0, CrashOrigin.Fault)]
    [InlineData(6, -6, 0x4711, CrashOrigin.Abort)]
    [InlineData(6, -6, 0x999, CrashOrigin.Sent)]
    [InlineData(6, 0, 0x999, CrashOrigin.Sent)]
    [InlineData(11, 0, 0x999, CrashOrigin.Sent)]
    [InlineData(6, 0, 0x4711, CrashOrigin.Unknown)]
    [InlineData(6, 0, 0, CrashOrigin.Unknown)]
    public void Who_made_the_signal_is_read_where_the_core_states_it(ushort signal, int code, int sender, CrashOrigin origin)
        => Assert.Equal(origin, Crash(signal, (code, sender))?.Origin);

    private static CrashFacts? Crash(ushort signal, (int Code, int Sender)? from = null)
    {
        using MemoryStream core = new(SyntheticElf.Core([], [], signal, 0x4711, from));
        return CoreNotes.Read(core, CaptureLimits.Default).Crash;
    }
}
