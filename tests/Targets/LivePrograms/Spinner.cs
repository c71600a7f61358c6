using Samples;

namespace LivePrograms;

/// <summary>Threads that wait, and perhaps one that does not.</summary>
internal static class Spinner
{
    private static readonly ManualResetEventSlim s_never = new();
    private static readonly CancellationTokenSource s_end = new();

    /// <summary>So many threads wait, and one turns in a loop for a flag that nobody sets.</summary>
    public static void Run(int waiting)
    {
        Start(waiting);
        _ = new Thread(Spin) { Name = "spinner", IsBackground = true }.UnsafeStarted();
        Stage.Ready();
    }

    public static void Sleep(int waiting)
    {
        Start(waiting);
        Stage.Ready();
    }

    private static void Start(int waiting)
    {
        for (int i = 0; i < waiting; i++)
        {
            _ = new Thread(WaitForWork, maxStackSize: 256 * 1024) { Name = $"waiter-{i}", IsBackground = true }.UnsafeStarted();
        }
    }

    private static Thread UnsafeStarted(this Thread thread)
    {
        thread.UnsafeStart();
        return thread;
    }

    private static void WaitForWork()
    {
        while (true)
        {
            s_never.Wait();
        }
    }

    private static void Spin()
    {
        ulong turns = 0;
        while (!s_end.IsCancellationRequested)
        {
            turns++;
        }

        Console.WriteLine(turns);
    }
}
