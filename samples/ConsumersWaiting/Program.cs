using System.Collections.Concurrent;
using Samples;

namespace ConsumersWaiting;

/// <summary>Workers that have nothing to do. See README.md.</summary>
internal static class Program
{
    private static readonly BlockingCollection<string> s_orders = [];
    private static readonly SemaphoreSlim s_mail = new(0);
    private static readonly object s_bell = new();

    private static void Main()
    {
        Thread[] consumers =
        [
            Stage.Start("order-1", Consume), Stage.Start("order-2", Consume), Stage.Start("order-3", Consume),
            Stage.Start("mail-1", Deliver), Stage.Start("mail-2", Deliver),
            Stage.Start("porter-1", AwaitBell), Stage.Start("porter-2", AwaitBell),
        ];
        Thread closer = Stage.Start("closer", consumers[0].Join);
        Stage.ReadyWhenAllWait([.. consumers, closer]);
    }

    private static void Consume()
    {
        foreach (string order in s_orders.GetConsumingEnumerable())
        {
            Console.WriteLine(order.Length);
        }
    }

    private static void Deliver()
    {
        while (true)
        {
            s_mail.Wait();
        }
    }

    private static void AwaitBell()
    {
        lock (s_bell)
        {
            while (true)
            {
                Monitor.Wait(s_bell);
            }
        }
    }
}
