namespace Truth.Hung;

/// <summary>Each worker of the pool queues a job and waits for its result; no worker is left for the jobs.</summary>
internal static class JobsBehindResults
{
    private const int Workers = 4;

    private static int s_printing;

    public static void Run()
    {
        ThreadPool.SetMinThreads(Workers, 1);
        ThreadPool.SetMaxThreads(Workers, 4);
        Badges badges = new();
        Task[] orders = [.. Enumerable.Range(0, Workers).Select(number => Task.Run(() => Print(badges, number)))];
        Ready.WhenStill(() => Volatile.Read(ref s_printing) == Workers && ThreadPool.PendingWorkItemCount == Workers);
        Task.WaitAll(orders);
    }

    private static void Print(Badges badges, int number)
    {
        Interlocked.Increment(ref s_printing);
        SpinWait.SpinUntil(() => Volatile.Read(ref s_printing) == Workers);
        Console.WriteLine(badges.RenderAsync(number).Result);
    }

    private sealed class Badges
    {
        public Task<string> RenderAsync(int number)
        {
            Job job = new(number);
            ThreadPool.UnsafeQueueUserWorkItem(static next => next.Run(), job, preferLocal: false);
            return job.Done;
        }
    }

    private sealed class Job(int number)
    {
        private readonly TaskCompletionSource<string> _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<string> Done => _done.Task;

        public void Run() => _done.SetResult($"badge {number}");
    }
}
