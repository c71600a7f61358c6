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

    private static CrashFacts? Crash(ushort signal)
    {
        using MemoryStream core = new(SyntheticElf.Core([], [], signal, 0x4711));
        return CoreNotes.Read(core, CaptureLimits.Default).Crash;
    }
}
