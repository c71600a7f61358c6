namespace HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

/// <summary>A thread that reads the registry 800,000 times in 35 s.</summary>
public static class RegistryTrace
{
    public const uint Process = 81;
    public const uint Thread = 810;
    public const int Calls = 800_000;

    private const long Window = 350_000_000;
    private const int QueryValue = 16;

    public static SyntheticTrace Build(int calls = Calls)
    {
        SyntheticTrace trace = new() { Processors = 1, BufferSize = 65_536 };
        trace.Process(0, 3, Process, "menu.exe").Thread(0, 3, Process, Thread).Switch(10, 0, Thread, 0);
        for (int i = 0; i < calls; i++)
        {
            trace.Registry(100 + (i * (Window / calls)), 0, Process, Thread, QueryValue);
        }

        trace.Switch(Window + 1_000, 0, 0, Thread);
        return trace.Thread(Window + 2_000, 4, Process, Thread);
    }
}
