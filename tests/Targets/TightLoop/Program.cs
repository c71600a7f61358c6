using System.Runtime.CompilerServices;

namespace TightLoop;

/// <summary>
/// A thread whose next instruction is managed code's at every moment: its loop calls nothing, is compiled once, and nobody stops it for a
/// collection or for better code.
/// </summary>
internal static class Program
{
    private static bool s_turns;

    private static void Main()
    {
        // The other thread never has these. They stand in a row.
        long[][] numbers = [new long[100], new long[100], new long[100]];
        Thread thread = new(() => Console.WriteLine(Turn())) { Name = "turning", IsBackground = true };
        thread.Start();
        SpinWait.SpinUntil(() => Volatile.Read(ref s_turns));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(numbers);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static long Turn()
    {
        Volatile.Write(ref s_turns, true);
        long odd = 1;
        while (odd != 0)
        {
            odd += 2;
        }

        return odd;
    }
}
