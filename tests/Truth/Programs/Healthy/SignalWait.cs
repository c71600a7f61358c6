using System.Runtime.InteropServices;

namespace Truth.Healthy;

/// <summary>A daemon: its first thread waits for SIGTERM, and nothing is to be done now.</summary>
internal static class SignalWait
{
    public static void Run()
    {
        using AutoResetEvent stop = new(false);
        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
        {
            context.Cancel = true;
            stop.Set();
        });
        Ready.WhenAtRest(() => true, Thread.CurrentThread);
        stop.WaitOne();
    }
}
