namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>Six seconds of a thread that asks another process again and again, and has each answer at once.</summary>
public static class AskingTrace
{
    public const uint Process = 130;
    public const uint Asker = 1300;

    private const uint Server = 131;
    private const uint ServerThread = 1310;
    private const long Second = 10_000_000;

    /// <param name="rate">How often in a second.</param>
    public static SyntheticTrace Build(int rate = 2_000)
    {
        SyntheticTrace trace = new() { Processors = 2, BufferSize = 65_536 };
        trace.Process(0, 3, Process, "reader.exe").Process(0, 3, Server, "store.exe").Thread(0, 3, Process, Asker)
            .Thread(0, 3, Server, ServerThread);
        trace.Switch(5, 1, ServerThread, 0).Switch(10, 0, Asker, 0);
        for (long at = Second / rate; at < 6 * Second; at += Second / rate)
        {
            trace.Switch(at, 0, 0, Asker).Ready(at + 1_000, 1, Asker).Switch(at + 1_050, 0, Asker, 0);
        }

        return trace.Thread(6 * Second, 4, Process, Asker);
    }
}
