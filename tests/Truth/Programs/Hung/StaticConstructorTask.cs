namespace Truth.Hung;

/// <summary>A static constructor waits for a task on another thread, which needs the same class and waits for its constructor.</summary>
internal static class StaticConstructorTask
{
    private static volatile Thread? s_worker;

    public static void Run()
    {
        Ready.WhenAtRest(() => s_worker is { } worker && IsStuck(worker), Thread.CurrentThread);
        Console.WriteLine(RateTable.Of("EUR"));
    }

    // A thread that waits for a static constructor does not count as waiting; it runs nothing all the same.
    private static bool IsStuck(Thread worker) => worker.IsAlive && ThreadPool.CompletedWorkItemCount == 0;

    private static class RateTable
    {
        private static readonly Dictionary<string, decimal> s_rates;

        static RateTable() => s_rates = Task.Run(() =>
        {
            s_worker = Thread.CurrentThread;
            return Load();
        }).Result;

        public static decimal Of(string currency) => s_rates[currency];

        private static Dictionary<string, decimal> Load() => new() { ["EUR"] = 1 };
    }
}
