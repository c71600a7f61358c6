namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>One thread runs in one function all the time; those of all other processors wait until it wakes them.</summary>
public static class ConvoyTrace
{
    public const uint Process = 82;
    public const uint Holder = 8200;
    public const uint FirstWaiter = 8300;
    public const int Waiters = 63;

    private const long Millisecond = 10_000;
    private const ulong Image = 0x7FF7_0000_0000;

    /// <summary>How long they wait, in ticks of 100 ns: 4 s.</summary>
    public const long Length = 4_000 * Millisecond;

    public static SyntheticTrace Build(long length = Length)
    {
        SyntheticTrace trace = new() { Processors = Waiters + 1 };
        trace.Process(0, 3, Process, "service.exe").Thread(0, 3, Process, Holder, "scanner").Image(0, 3, Process, Image, 0x10_0000, @"\Device\HarddiskVolume3\service.exe");
        trace.Switch(10, 0, Holder, 0);
        for (uint i = 0; i < Waiters; i++)
        {
            trace.Thread(0, 3, Process, FirstWaiter + i).Switch(20 + i, (int)i + 1, FirstWaiter + i, 0).Switch(1_000 + i, (int)i + 1, 0, FirstWaiter + i, reason: 37);
        }

        for (long at = Millisecond; at < length; at += Millisecond)
        {
            trace.Sample(at, 0, Holder, Image + 0x4000 + (ulong)(at / Millisecond % 3));
        }

        for (uint i = 0; i < Waiters; i++)
        {
            long at = length + (i * 100);
            trace.Ready(at, 0, FirstWaiter + i).Switch(at + 20, (int)i + 1, FirstWaiter + i, 0).Switch(at + 900_000, (int)i + 1, 0, FirstWaiter + i);
        }

        return trace.Thread(length + (200 * Millisecond), 4, Process, Holder, "scanner");
    }
}
