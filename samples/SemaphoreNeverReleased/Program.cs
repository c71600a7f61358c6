using Samples;

namespace SemaphoreNeverReleased;

/// <summary>The one entry of a semaphore is lost by an exception. See README.md.</summary>
internal static class Program
{
    private static readonly SemaphoreSlim s_store = new(1, 1);

    private static void Main()
    {
        Warmth.Up(BuyBehindLoser);
        Stage.Start("loser", Lose).Join();
        Stage.ReadyWhenAllWait(Stage.Start("buyer-1", Buy), Stage.Start("buyer-2", Buy), Stage.Start("buyer-3", Buy));
    }

    // What is lost is given back when three wait for it.
    private static void BuyBehindLoser()
    {
        Stage.Start("loser", Lose).Join();
        Thread[] buyers = [Stage.Start("buyer-1", Buy), Stage.Start("buyer-2", Buy), Stage.Start("buyer-3", Buy)];
        Warmth.AwaitWaits(buyers);
        s_store.Release();
        Warmth.Join(buyers);
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
