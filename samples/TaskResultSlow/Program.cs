using Samples;

namespace TaskResultSlow;

/// <summary>A click handler waits for a task that does make progress, elsewhere. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        using UiLoop ui = new("ui");
        Window window = new();
        ui.Start();
        ui.Post(window.Button_Click, null);
        while (!window.Asks || ThreadPool.PendingWorkItemCount > 0 || Timer.ActiveCount == 0 || !ui.IsBlocked)
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
