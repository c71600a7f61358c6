namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>Three seconds of a thread that yields after each half of a millisecond, and is switched to again at once.</summary>
public static class YieldTrace
{
    public const uint Process = 120;
    public const uint Spinner = 1200;
    public const uint Worker = 1210;

    private const long Millisecond = 10_000;
    private const long Window = 3_000 * Millisecond;
    private const byte YieldExecution = 33;

    /// <param name="slice">For how long it runs before it yields, in ticks of 100 ns.</param>
    /// <param name="until">When it waits and yields no more, in milliseconds.</param>
    /// <param name="hasWorker">Another thread of the process works for 2 ms of every 10.</param>
    public static SyntheticTrace Build(long slice = Millisecond / 2, long until = 3_000, bool hasWorker = false)
    {
        SyntheticTrace trace = new() { Processors = 2, BufferSize = 65_536 };
        trace.Process(0, 3, Process, "poller.exe").Thread(0, 3, Process, Spinner, "poll").Thread(0, 3, Process, Worker, "work");
        long at = 10;
        for (; at + slice < until * Millisecond; at += slice + 100)
        {
            trace.Switch(at, 0, Spinner, 0).Switch(at + slice, 0, 0, Spinner, reason: YieldExecution, state: 1);
        }

        trace.Switch(at, 0, Spinner, 0)
            .Switch(at + 100, 0, 0, Spinner, reason: (byte)(until < 3_000 ? 6 : YieldExecution), state: (byte)(until < 3_000 ? 5 : 1));
        for (long turn = 5 * Millisecond; hasWorker && turn < Window; turn += 10 * Millisecond)
        {
            trace.Ready(turn, 1, Worker, flags: 1).Switch(turn + 10, 1, Worker, 0).Switch(turn + (2 * Millisecond), 1, 0, Worker);
        }

        return trace.Thread(Window, 4, Process, Spinner, "poll").Thread(Window, 4, Process, Worker, "work");
    }
}
