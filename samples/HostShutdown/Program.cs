using System.Runtime.InteropServices;

namespace HostShutdown;

/// <summary>A server's Main waits for the order to stop, as hosts do; its workers wait for work. See README.md.</summary>
internal static class Program
{
    private static int Main()
    {
        TaskCompletionSource stop = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Console.CancelKeyPress += (_, pressed) =>
        {
            pressed.Cancel = true;
            stop.TrySetResult();
        };
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
        {
            signal.Cancel = true;
            stop.TrySetResult();
        });
        Task.Run(() => Thread.CurrentThread.IsThreadPoolThread).Wait();
        Thread main = Thread.CurrentThread;
        using ManualResetEventSlim started = new();
        Thread announcer = new(() => Announce(main, started)) { Name = "announcer", IsBackground = true };
        announcer.Start();
        started.Wait();

        WaitForShutdownAsync(stop.Task).GetAwaiter().GetResult();
        return 0;
    }

    private static async Task WaitForShutdownAsync(Task stopped) => await stopped.ConfigureAwait(false);

    /// <summary>Says READY when Main has nothing left to do but wait.</summary>
    private static void Announce(Thread main, ManualResetEventSlim started)
    {
        started.Set();
        while (!main.ThreadState.HasFlag(ThreadState.WaitSleepJoin))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
