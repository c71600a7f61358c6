using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Truth.Hung;

/// <summary>A handler of SIGTERM waits for the end of a consumer, whose queue nobody completes.</summary>
internal static class SignalJoinsConsumer
{
    private static readonly BlockingCollection<string> s_jobs = [];
    private static readonly ManualResetEvent s_stop = new(false);
    private static readonly Thread s_consumer = new(Consume) { Name = "consumer", IsBackground = true };
    private static volatile bool s_isAsked;

    public static void Run()
    {
        s_consumer.Start();
        using PosixSignalRegistration registration = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
        Ready.When(() => s_isAsked);
        Process.Start("kill", ["-TERM", $"{Environment.ProcessId}"]).WaitForExit();
        s_stop.WaitOne();
    }

    private static void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        s_isAsked = true;
        s_consumer.Join();
        s_stop.Set();
    }

    private static void Consume()
    {
        foreach (string job in s_jobs.GetConsumingEnumerable())
        {
            Console.WriteLine(job);
        }
    }
}
