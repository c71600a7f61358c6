using Samples;

namespace YieldingOwner;

/// <summary>A thread holds a lock and spins until a flag is set, which a timer does in an hour.</summary>
internal static class Program
{
    private static readonly object s_gate = new();
    private static readonly ManualResetEvent s_held = new(initialState: false);
    private static readonly Timer s_end = new(_ => s_isDone = true, null, TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan);
    private static volatile bool s_isDone;

    private static void Main()
    {
        Stage.Start("owner", Spin);
        s_held.WaitOne();
        Stage.ReadyWhenAllWait(Stage.Start("waiter-1", Wait), Stage.Start("waiter-2", Wait), Stage.Start("waiter-3", Wait));
    }

    private static void Spin()
    {
        lock (s_gate)
        {
            s_held.Set();
            SpinWait spin = default;
            while (!s_isDone)
            {
                spin.SpinOnce(sleep1Threshold: -1);
            }
        }
    }

    private static void Wait()
    {
        lock (s_gate)
        {
            GC.KeepAlive(s_end);
        }
    }
}
