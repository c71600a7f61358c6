using Samples;

namespace OwnContextSend;

/// <summary>A thread sends a call to a context under a lock that the context's thread wants. See README.md.</summary>
internal static class Program
{
    private static readonly List<string> s_orders = [];

    private static void Main()
    {
        Pump pump = new();
        using ManualResetEventSlim isTaken = new();
        using ManualResetEventSlim isDrawing = new();
        Thread screen = Stage.Start("screen", pump.Run);
        Thread worker = Stage.Start("worker", () => Report(pump, isTaken, isDrawing));
        pump.Post(_ => Draw(isTaken, isDrawing), null);
        Stage.ReadyWhenAllWait(screen, worker);
    }

    private static void Report(Pump pump, ManualResetEventSlim isTaken, ManualResetEventSlim isDrawing)
    {
        lock (s_orders)
        {
            isTaken.Set();
            isDrawing.Wait();
            pump.Send(_ => Console.WriteLine("never printed"), null);
        }
    }

    private static void Draw(ManualResetEventSlim isTaken, ManualResetEventSlim isDrawing)
    {
        isDrawing.Set();
        isTaken.Wait();
        lock (s_orders)
        {
            Console.WriteLine(s_orders.Count);
        }
    }
}
