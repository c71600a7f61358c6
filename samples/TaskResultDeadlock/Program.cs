using Samples;

namespace TaskResultDeadlock;

/// <summary>A click handler waits for a task whose rest was posted to the handler's own thread. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        using UiLoop ui = new("ui");
        Window window = new();
        ui.Start();
        ui.Post(window.Button_Click, null);
        while (!window.Asks || ui.Waiting == 0 || !ui.IsBlocked)
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
