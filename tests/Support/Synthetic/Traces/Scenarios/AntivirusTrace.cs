namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>A thread that starts a program waits in a file-system filter until another process answers.</summary>
public static class AntivirusTrace
{
    public const uint Git = 70;
    public const uint GitThread = 700;
    public const uint Antivirus = 90;
    public const uint AntivirusThread = 900;

    private const long Millisecond = 10_000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;
    private const ulong Filter = 0xFFFF_F880_0000_0000;
    private const ulong Service = 0x7FF6_0000_0000;

    /// <summary>How long the longest of the waits is, in ticks of 100 ns: 3.6 s. The one before it is 611 ms.</summary>
    public const long Longest = 3_600 * Millisecond;
    public const long First = 611 * Millisecond;

    /// <param name="longest">How long the longest wait is; the healthy twin is answered in 72 microseconds.</param>
    /// <param name="first">How long the wait before it is.</param>
    public static SyntheticTrace Build(long longest = Longest, long first = First)
    {
        SyntheticTrace trace = new() { Processors = 2 };
        trace.Process(0, 3, Git, "git.exe").Process(0, 3, Antivirus, "MsMpEng.exe").Thread(0, 3, Git, GitThread).Thread(0, 3, Antivirus, AntivirusThread);
        trace.Image(0, 3, 0, Kernel, 0x100_0000, @"\SystemRoot\system32\ntoskrnl.exe").Image(0, 3, 0, Filter, 0x10_0000, @"\SystemRoot\System32\drivers\fltmgr.sys");
        trace.Image(0, 3, Antivirus, Service, 0x10_0000, @"\Device\HarddiskVolume3\MsMpEng.exe");
        trace.Switch(50 * Millisecond, 0, GitThread, 0);
        long at = Wait(trace, 100 * Millisecond, first);
        at = Wait(trace, at + (20 * Millisecond), longest);
        trace.Switch(at + (400 * Millisecond), 0, 0, GitThread);
        trace.Thread(at + (500 * Millisecond), 4, Git, GitThread);
        return trace;
    }

    private static long Wait(SyntheticTrace trace, long at, long length)
    {
        long end = at + length;
        trace.Switch(at, 0, 0, GitThread, reason: 0);
        trace.Switch(end - Math.Min(length / 2, 500), 1, AntivirusThread, 0);
        trace.Ready(end, 1, GitThread);
        trace.Stack(end + 1, 1, end, Antivirus, AntivirusThread, Filter + 0x2222, Service + 0x3333);
        trace.Switch(end + 3, 0, GitThread, 0);
        trace.Stack(end + 4, 0, end + 3, Git, GitThread, Kernel + 0x10, Filter + 0x1111, Kernel + 0x9000);
        trace.Switch(end + 100, 1, 0, AntivirusThread);
        return end;
    }
}
