namespace SlowRuntime;

/// <summary>Takes a moment to be finalized.</summary>
internal sealed class Handle
{
    public static int Closed;

    ~Handle()
    {
        Thread.Sleep(10);
        Interlocked.Increment(ref Closed);
    }
}
