namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>One thread readies another each 10 ms; after 5 s of 20 it does so no more.</summary>
public static class PartnerTrace
{
    public const uint Process = 110;
    public const uint Waiter = 1100;
    public const uint Partner = 1110;
    public const uint Other = 111;

    private const long Millisecond = 10_000;
    private const long Turn = 10 * Millisecond;
    private const long Last = 5_000 * Millisecond;
    private const long Window = 20_000 * Millisecond;

    public enum Then
    {
        GoesOn,
        Waits,
        Runs,
        Ends,
    }

    /// <param name="then">What becomes of the partner after 5 s.</param>
    /// <param name="isMutual">The waiter readies its partner; else a timer does.</param>
    /// <param name="partnerProcess">Whose thread the partner is.</param>
    public static SyntheticTrace Build(Then then, bool isMutual = true, uint partnerProcess = Process)
    {
        SyntheticTrace trace = new() { Processors = 2, BufferSize = 65_536 };
        trace.Process(0, 3, Process, "orders.exe").Process(0, 3, Other, "broker.exe");
        trace.Thread(0, 3, Process, Waiter, "waiter").Thread(0, 3, partnerProcess, Partner, "partner");
        long at = Turn;
        for (; at <= (then == Then.GoesOn ? Window - Turn : Last); at += Turn)
        {
            bool isLast = then != Then.GoesOn && at + Turn > Last;
            trace.Switch(at, 0, Partner, 0).Ready(at + Millisecond, 0, Waiter);
            trace.Switch(at + Millisecond + 100, 1, Waiter, 0);
            if (!isLast || then != Then.Runs)
            {
                trace.Switch(at + Millisecond + 200, 0, 0, Partner);
            }

            if (isMutual && !isLast)
            {
                trace.Ready(at + Turn - 500, 1, Partner);
            }
            else if (!isLast)
            {
                trace.Ready(at + Turn - 500, 0, Partner, flags: 1);
            }

            trace.Switch(at + Turn - 400, 1, 0, Waiter);
        }

        trace.Thread(then == Then.Ends ? Last + (100 * Millisecond) : Window, then == Then.Ends
            ? 2 : 4, partnerProcess, Partner, "partner");
        return trace.Thread(Window, 4, Process, Waiter, "waiter");
    }
}
