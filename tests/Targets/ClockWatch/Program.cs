using System.Runtime.CompilerServices;

namespace ClockWatch;

/// <summary>
/// The main thread asks for the time without pause: nearly always it is in the system's clock, which the runtime calls without a frame of
/// its own.
/// </summary>
internal static class Program
{
    private static bool s_watches;

    private static void Main()
    {
        new Thread(Announce) { Name = "announcer", IsBackground = true }.Start();
        Watch(until: long.MaxValue);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static void Watch(long until)
    {
        Volatile.Write(ref s_watches, true);
        while (Environment.TickCount64 < until)
        {
        }
    }

    private static void Announce()
    {
        SpinWait.SpinUntil(() => Volatile.Read(ref s_watches));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
    }
}
