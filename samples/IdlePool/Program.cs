using Samples;

namespace IdlePool;

/// <summary>A pool whose workers have done their work. See README.md.</summary>
internal static class Program
{
    private const int Workers = 8;

    private static void Main()
    {
        ThreadPool.SetMinThreads(Workers, 1);
        Warmth.Up(Work);
        Work();
        Stage.Ready();
    }

    private static void Work()
    {
        using CountdownEvent done = new(Workers);
        using Barrier allAtOnce = new(Workers);
        for (int worker = 0; worker < Workers; worker++)
        {
            ThreadPool.QueueUserWorkItem(_ =>
            {
                allAtOnce.SignalAndWait();
                done.Signal();
            });
        }

        done.Wait();
    }
}
