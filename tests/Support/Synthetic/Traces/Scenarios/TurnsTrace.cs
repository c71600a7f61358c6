namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>Ten seconds of two threads: one works for 2 ms of every 10 ms, the other waits all the time.</summary>
public static class TurnsTrace
{
    public const uint Process = 60;
    public const uint Worker = 600;
    public const uint Waiter = 610;

    private const long Millisecond = 10_000;
    private const long Turn = 10 * Millisecond;
    private const long Window = 10_000 * Millisecond;
    private const byte UserRequest = 6;
    private const byte Suspended = 5;

    /// <param name="still">From when to when the worker does not run, in milliseconds; null where it always takes its turns.</param>
    /// <param name="isSuspended">It does not run because it is suspended, as by who writes a dump.</param>
    public static SyntheticTrace Build((long From, long To)? still = null, bool isSuspended = false)
    {
        SyntheticTrace trace = new() { Processors = 2 };
        trace.Process(0, 3, Process, "bank.exe").Thread(0, 3, Process, Worker).Thread(0, 3, Process, Waiter);
        trace.Switch(10, 1, Waiter, 0).Switch(20, 1, 0, Waiter, reason: UserRequest);
        for (long at = Turn; at < Window; at += Turn)
        {
            long next = at + Turn;
            bool isLast = still is { } pause && next > pause.From * Millisecond && at <= pause.From * Millisecond;
            if (still is { } quiet && at > quiet.From * Millisecond && at < quiet.To * Millisecond)
            {
                continue;
            }

            trace.Ready(at, 0, Worker).Switch(at + 10, 0, Worker, 0).Switch(at + (2 * Millisecond), 0, 0, Worker, reason: isLast && isSuspended ? Suspended : UserRequest);
        }

        return trace.Thread(Window, 4, Process, Worker).Thread(Window, 4, Process, Waiter);
    }
}
