namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>A thread that computes in reads of some bytes each: it looks like I/O and is CPU time in the path of the calls.</summary>
public static class TinyReadsTrace
{
    public const uint Broker = 80;
    public const uint Thread = 800;
    public const long Calls = 229_604;
    public const long Bytes = 15_686_586;
    public const long Samples = 899;
    public const long SamplesInReads = 628;

    private const long Window = 6_000_000;
    private const ulong File = 0xFFFF_8A00_1234_5670;
    private const ulong Image = 0x7FF7_0000_0000;
    private const ulong Library = 0x7FFE_0000_0000;

    /// <param name="calls">How many reads; the healthy twin reads the same bytes in few.</param>
    /// <param name="bytes">How many bytes they read.</param>
    /// <param name="samplesInReads">Samples with the library's read on the stack.</param>
    public static SyntheticTrace Build(long calls = Calls, long bytes = Bytes, long samplesInReads = SamplesInReads)
    {
        SyntheticTrace trace = new() { Processors = 1, BufferSize = 65_536, IsCompressed = true };
        trace.Process(0, 3, Broker, "broker.exe").Thread(0, 3, Broker, Thread).FileName(0, File, @"\Device\HarddiskVolume3\menu.db");
        trace.Image(0, 3, Broker, Image, 0x10_0000, @"\Device\HarddiskVolume3\broker.exe").Image(0, 3, Broker, Library, 0x10_0000, @"\Device\HarddiskVolume3\KERNELBASE.dll");
        trace.Switch(10, 0, Thread, 0);
        long read = 0;
        for (long i = 0; i < calls; i++)
        {
            long upTo = bytes * (i + 1) / calls;
            trace.Read(100 + (i * Window / calls), 0, Broker, Thread, File, (uint)(upTo - read));
            read = upTo;
        }

        for (long i = 0; i < Samples; i++)
        {
            long at = 101 + (i * Window / Samples);
            ulong[] frames = i < samplesInReads ? [Library + 0x500, Image + 0x100] : [Image + 0x200];
            trace.Sample(at, 0, Thread, frames[0]).Stack(at + 1, 0, at, Broker, Thread, frames);
        }

        trace.Switch(Window + 1_000, 0, 0, Thread);
        return trace.Thread(Window + 2_000, 4, Broker, Thread);
    }
}
