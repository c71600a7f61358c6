namespace SlowRuntime;

/// <summary>Takes long to be finalized, and works all the time.</summary>
internal sealed class Handle
{
    public static int Steps;

    ~Handle()
    {
        while (!Program.IsOver)
        {
            Thread.Sleep(10);
            Interlocked.Increment(ref Steps);
        }
    }
}
