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
        WarmUp(ui);
        ui.Post(window.Button_Click, null);
        while (!window.Asks || ui.Waiting == 0 || !ui.IsBlocked)
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void WarmUp(UiLoop ui) => Warmth.Up(() => ClickWithoutContext(ui));

    // The rest of the work goes to the pool.
    private static void ClickWithoutContext(UiLoop ui)
    {
        using ManualResetEventSlim isDone = new();
        ui.Post(_ => SynchronizationContext.SetSynchronizationContext(null), state: null);
        ui.Post(new Window { Duration = TimeSpan.FromMilliseconds(1) }.Button_Click, state: null);
        ui.Post(
            _ =>
            {
                SynchronizationContext.SetSynchronizationContext(ui);
                isDone.Set();
            },
            state: null);
        isDone.Wait();
    }
}
