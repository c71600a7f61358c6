namespace Truth.Healthy;

/// <summary>Finalizers that take 20 ms each, and always some of them to do.</summary>
internal static class FinalizerSlow
{
    private static int s_closed;

    public static void Run()
    {
        Ready.When(() => Volatile.Read(ref s_closed) > 5);
        while (true)
        {
            Open();
            GC.Collect();
            Thread.Sleep(50);
        }
    }

    private static void Open() => GC.KeepAlive(new Handle());

    private sealed class Handle
    {
        ~Handle()
        {
            Thread.Sleep(20);
            Interlocked.Increment(ref s_closed);
        }
    }
}
