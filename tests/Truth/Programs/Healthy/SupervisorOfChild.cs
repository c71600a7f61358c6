using System.Diagnostics;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>A supervisor waits for the end of a child that works, and would start it again.</summary>
internal static class SupervisorOfChild
{
    public static void Run()
    {
        Ready.WhenAtRest(() => s_started == 1, Thread.CurrentThread);
        while (true)
        {
            using Process worker = Process.Start(Child.Info("child-worker"))!;
            Interlocked.Increment(ref s_started);
            worker.WaitForExit();
        }
    }

    private static int s_started;
}
