using Samples;

namespace CollectionHeldUp;

/// <summary>A thread blocks in native code that holds up garbage collections, and another one collects. See README.md.</summary>
internal static class Program
{
    private static volatile uint s_reader;

    // The functions of another system cannot be found, and are looked for before the first call.
    private static Action Block => OperatingSystem.IsWindows() ? NativeSleep.Block : NativeRead.Block;

    private static void Main()
    {
        _ = Stage.Start("reader", () =>
        {
            s_reader = NativeThreadId.Current;
            Block();
        });
        while (s_reader == 0)
        {
            Thread.Yield();
        }

        KernelWait.Await(s_reader);
        Thread.CurrentThread.Name = "main";

        // Nothing can be printed once the collection wants to begin.
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        GC.Collect();
    }
}
