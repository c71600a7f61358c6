using HangTriage.Capture;
using HangTriage.Capture.Windows.Minidump;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>What a minidump says of the exception that it was written for.</summary>
public sealed class CrashTests
{
    private const uint ExceptionStream = 6;

    [Theory]
    [InlineData(0xC0000005, "access violation")]
    [InlineData(0xE0434352, ".NET exception")]
    [InlineData(0xE0001234, "")]
    public void An_exception_that_ends_a_process_is_a_crash_in_its_thread(uint code, string name)
        => Assert.Equal(new CrashFacts(code, name, new ThreadId(0x1f4)) { Origin = CrashOrigin.Fault }, Crash(Stream(0x1f4, code)));

    // What Environment.FailFast and __fastfail raise: the program itself wants to end.
    [Theory]
    [InlineData(0x80131623, ".NET fail fast")]
    [InlineData(0xC0000409, "fail fast")]
    public void A_fail_fast_is_the_programs_own_end(uint code, string name)
        => Assert.Equal(new CrashFacts(code, name, new ThreadId(0x1f4)) { Origin = CrashOrigin.Abort }, Crash(Stream(0x1f4, code)));

    [Theory]
    [InlineData(0x80000003)]
    [InlineData(0x80000004)]
    [InlineData(0x4000001F)]
    [InlineData(0xCFFFFFFF)]
    [InlineData(0)]
    public void What_a_debugger_or_a_hang_leaves_is_none(uint code) => Assert.Null(Crash(Stream(0x1f4, code)));

    [Fact]
    public void A_stream_that_is_cut_off_or_missing_is_none()
    {
        Assert.Null(Crash(Stream(0x1f4, 0xC0000005)[..11]));
        Assert.Null(Crash(null));
    }

    // MINIDUMP_EXCEPTION_STREAM: the thread's id, padding, the code, 148 bytes more of the exception, the place of the registers.
    private static byte[] Stream(uint thread, uint code) => [.. BitConverter.GetBytes(thread), .. new byte[4], .. BitConverter.GetBytes(code), .. new byte[156]];

    private static CrashFacts? Crash(byte[]? stream)
    {
        SyntheticMinidump dump = new();
        using ScratchFile file = new((stream is null ? dump : dump.RawStream(ExceptionStream, stream)).Build());
        using MinidumpProcess process = MinidumpProcess.Open(file.Path, CaptureContext.Default);
        return WindowsCapture.ReadNative(process, CaptureContext.Default).Target.Crash;
    }
}
