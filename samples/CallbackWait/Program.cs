using Samples;

namespace CallbackWait;

/// <summary>A thread waits under a lock for the end of a timer's callback, which takes the lock. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        Cache cache = new();
        Thread closer = Stage.Start("closer", cache.Dispose);
        while (cache.Trimmer is null)
        {
            Thread.Yield();
        }

        Stage.ReadyWhenAllWait(closer, cache.Trimmer);
    }
}
