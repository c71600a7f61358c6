namespace Truth.Healthy;

/// <summary>A console program waits for what its user types; a timer works beside it.</summary>
internal static class ConsoleInput
{
    private static int s_saves;

    public static void Run()
    {
        using Timer autosave = new(_ => Interlocked.Increment(ref s_saves), null, 0, 300);
        Ready.When(() => Volatile.Read(ref s_saves) > 1);
        while (Console.ReadLine() is { } command)
        {
            Console.WriteLine($"unknown command {command}");
        }
    }
}
