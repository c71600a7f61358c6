using System.Runtime.InteropServices;
using Samples;

namespace HostShutdown;

/// <summary>A server's Main waits for the order to stop, as hosts do. See README.md.</summary>
internal static class Program
{
    private static Thread? s_main;
    private static volatile bool s_serves;

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
        s_main = Thread.CurrentThread;
        new Thread(Announce) { Name = "announcer", IsBackground = true }.Start();

        s_serves = true;
        WaitForShutdownAsync(stop.Task).GetAwaiter().GetResult();
        return 0;
    }

    private static async Task WaitForShutdownAsync(Task stopped) => await stopped.ConfigureAwait(false);

    /// <summary>Says READY when Main has nothing left to do but wait.</summary>
    private static void Announce()
    {
        while (!s_serves || !ThreadRest.IsAtRest(s_main!))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }
}
