using Samples;

namespace LostSpinLock;

/// <summary>A spin lock is lost by an exception, and two threads try for it forever. See README.md.</summary>
internal static class Program
{
    private const int Rounds = 200;

    private static readonly PriceTable s_prices = new();

    private static void Main()
    {
        Stage.Start("loader", s_prices.Load).Join();
        Stage.Start("importer-1", s_prices.Add);
        Stage.Start("importer-2", s_prices.Add);
        while (s_prices.Rounds < Rounds)
        {
            Thread.Sleep(1);
        }

        Stage.Ready();
    }
}
