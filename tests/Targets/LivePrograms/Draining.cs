using System.Collections.Concurrent;
using System.Globalization;
using Samples;

namespace LivePrograms;

/// <summary>
/// Main puts items into a queue that is full, and a consumer takes them slowly: a counter rises, and it is printed. Frozen, the
/// consumer waits after a while for a signal that nobody gives.
/// </summary>
internal static class Draining
{
    private const int Room = 4;
    private const int BeforeTheEnd = 10;

    private static readonly BlockingCollection<int> s_items = new(Room);
    private static readonly SemaphoreSlim s_stock = new(0);
    private static int s_done;

    public static void Run(bool isMoving)
    {
        _ = Stage.Start("consumer", () => Consume(isMoving));
        if (!isMoving)
        {
            Stage.ReadyWhenCallerWaits();
        }

        for (int item = 0; ; item++)
        {
            s_items.Add(item);
        }
    }

    private static void Consume(bool isMoving)
    {
        foreach (int item in s_items.GetConsumingEnumerable())
        {
            if (item == BeforeTheEnd)
            {
                if (!isMoving)
                {
                    s_stock.Wait();
                }

                Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
            }

            // What a device takes for it.
            Thread.Sleep(isMoving || item == BeforeTheEnd ? 100 : 1);
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{++s_done}"));
        }
    }
}
