namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>A thread that is ready and does not run: others of a better rank do, though their priority is lower.</summary>
public static class OutrankedTrace
{
    public const uint App = 50;
    public const uint Waiter = 500;
    public const uint Waker = 8;
    public const int Others = 6;

    private const long Millisecond = 10_000;

    /// <summary>When the thread was switched out, readied, and switched in, in ticks of 100 ns.</summary>
    public const long Out = 11_627 * Millisecond;
    public const long Readied = 30_333 * Millisecond;
    public const long In = 49_827 * Millisecond;

    /// <summary>Ready for 19.494 s at priority 14, as in the case whose figures these are.</summary>
    /// <param name="hasRanks">The ready thread has rank 2; else every rank is 0, as before Windows 8.</param>
    /// <param name="ready">Ticks for which it is ready; the healthy twin runs at once.</param>
    /// <param name="isAfterward">The thread runs after it, and the trace continues.</param>
    public static SyntheticTrace Build(bool hasRanks = true, long ready = In - Readied, bool isAfterward = true)
    {
        SyntheticTrace trace = new() { Processors = 2 };
        trace.Process(0, 3, 4, "System").Process(0, 3, App, "LockApp.exe").Process(0, 3, 60, "compiler.exe");
        trace.Thread(0, 3, 4, Waker).Thread(0, 3, App, Waiter, "ui");
        trace.Image(0, 3, 0, 0xFFFF_F800_0000_0000, 0x100_0000, @"\SystemRoot\system32\ntoskrnl.exe");
        for (uint i = 0; i < Others; i++)
        {
            trace.Thread(0, 3, 60, 600 + i);
        }

        trace.Switch(Out - (5 * Millisecond), 0, Waiter, 600, newPriority: 14, reason: 32, state: 1);
        trace.Switch(Out, 0, 600, Waiter, oldPriority: 14, rank: (byte)(hasRanks ? 2 : 0));
        trace.Switch(Readied - 200, 1, Waker, 601, newPriority: 12, reason: 32, state: 1);
        trace.Ready(Readied, 1, Waiter);
        trace.Stack(Readied + 10, 1, Readied, 4, Waker, 0xFFFF_F800_0000_1234, 0xFFFF_F800_0000_5678);
        trace.Switch(Readied + 500, 1, 601, Waker, oldPriority: 12);
        Rotate(trace, Readied + Millisecond, Readied + ready - Millisecond);
        if (isAfterward)
        {
            trace.Switch(Readied + ready, 0, Waiter, 600, newPriority: 14, reason: 32, state: 1);
            trace.Switch(Readied + ready + (2 * Millisecond), 0, 600, Waiter, oldPriority: 14, rank: (byte)(hasRanks ? 2 : 0));
        }

        trace.Thread(Math.Max(In, Readied + ready) + (100 * Millisecond), 4, App, Waiter, "ui");
        return trace;
    }

    /// <summary>Threads of priority 8 take turns on processor 1, 20 ms each; processor 0 stays with thread 600.</summary>
    private static void Rotate(SyntheticTrace trace, long from, long to)
    {
        uint on = 601;
        for (long at = from; at < to; at += 20 * Millisecond)
        {
            uint next = on == 600 + Others - 1 ? 601 : on + 1;
            trace.Switch(at, 1, next, on, reason: 30, state: 1);
            on = next;
        }
    }
}
