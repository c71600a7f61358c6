using Samples;

namespace LivePrograms;

/// <summary>
/// Main hands items to a worker one by one and waits until each is done. The worker waits for a device that takes a while:
/// slow, and moving; or for one that will never answer. In one instant both look the same.
/// </summary>
internal static class Handover
{
    private static readonly object s_gate = new();
    private static readonly Queue<int> s_items = [];
    private static readonly SemaphoreSlim s_done = new(0);
    private static readonly SemaphoreSlim s_answer = new(0);

    public static void Run(bool isMoving)
    {
        _ = Stage.Start("worker", Work);
        _ = Stage.Start("device", () => Answer(isMoving));
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        for (int item = 0; ; item++)
        {
            lock (s_gate)
            {
                s_items.Enqueue(item);
                Monitor.Pulse(s_gate);
            }

            s_done.Wait();
        }
    }

    private static void Work()
    {
        while (true)
        {
            lock (s_gate)
            {
                while (s_items.Count == 0)
                {
                    Monitor.Wait(s_gate);
                }

                _ = s_items.Dequeue();
            }

            s_answer.Wait();
            _ = s_done.Release();
        }
    }

    private static void Answer(bool isMoving)
    {
        while (true)
        {
            Thread.Sleep(isMoving ? 150 : Timeout.Infinite);
            _ = s_answer.Release();
        }
    }
}
