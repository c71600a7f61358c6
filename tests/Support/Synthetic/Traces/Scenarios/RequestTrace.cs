namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>Ten seconds of a thread whose waits a thread of another process ends; one of them lasts for 4 s.</summary>
public static class RequestTrace
{
    public const uint Process = 140;
    public const uint Waiter = 1400;
    public const uint Behind = 1410;
    public const uint Other = 141;
    public const uint OtherThread = 1420;

    private const long Millisecond = 10_000;
    private const byte UserRequest = 6;

    /// <param name="works">For how long of the 4 s the other process's thread runs, in milliseconds.</param>
    /// <param name="reason">Why the thread waits.</param>
    /// <param name="hasBehind">Another thread of the process waits all the while for this one.</param>
    public static SyntheticTrace Build(long works, byte reason = UserRequest, bool hasBehind = false)
    {
        SyntheticTrace trace = new() { Processors = 3 };
        trace.Process(0, 3, Process, "client.exe").Process(0, 3, Other, "service.exe");
        trace.Thread(0, 3, Process, Waiter, "asks").Thread(0, 3, Process, Behind).Thread(0, 3, Other, OtherThread);
        trace.Switch(10, 0, Waiter, 0).Switch(20, 2, Behind, 0).Switch(2_000 * Millisecond, 0, 0, Waiter, reason: reason)
            .Switch(1_500 * Millisecond, 2, 0, Behind);
        long end = 6_000 * Millisecond;
        trace.Switch(end - (works * Millisecond), 1, OtherThread, 0).Ready(end, 1, Waiter).Switch(end + 10, 0, Waiter, 0)
            .Switch(end + 20, 1, 0, OtherThread);
        if (hasBehind)
        {
            trace.Ready(end + Millisecond, 0, Behind).Switch(end + Millisecond + 10, 2, Behind, 0);
        }

        return trace.Thread(10_000 * Millisecond, 4, Process, Waiter, "asks");
    }
}
