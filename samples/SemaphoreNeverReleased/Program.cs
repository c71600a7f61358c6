using Samples;

namespace SemaphoreNeverReleased;

/// <summary>The one entry of a semaphore is lost by an exception. See README.md.</summary>
internal static class Program
{
    private static readonly SemaphoreSlim s_store = new(1, 1);

    private static void Main()
    {
        Stage.Start("loser", Lose).Join();
        Stage.ReadyWhenAllWait(Stage.Start("buyer-1", Buy), Stage.Start("buyer-2", Buy), Stage.Start("buyer-3", Buy));
    }

    private static void Lose()
    {
        try
        {
            s_store.Wait();
            throw new InvalidOperationException("nothing in store");
        }
        catch (InvalidOperationException)
        {
            // The entry that Wait took is not released.
        }
    }

    private static void Buy()
    {
        s_store.Wait();
        s_store.Release();
    }
}
