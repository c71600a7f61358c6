namespace AsyncFlows;

/// <summary>Very many flows of one shape.</summary>
internal static class Many
{
    private static readonly List<Task> s_flows = [];
    private static readonly TaskCompletionSource s_promise = new();
    private static readonly SemaphoreSlim s_gate = new(0);

    public static void Of(string shape, int count)
    {
        switch (shape)
        {
            case "one-task":
                Repeat(count, () => AwaitAsync(s_promise.Task));
                break;
            case "own-tasks":
                Repeat(count, () => AwaitAsync(Kept.New().Task));
                break;
            case "semaphore":
                Repeat(count, () => AwaitAsync(s_gate.WaitAsync()));
                break;
            case "chain":
                s_flows.Add(Chain(count));
                break;
        }

        // A thread blocks on them too.
        new Thread(() => Task.WhenAll(s_flows).Wait()) { IsBackground = true, Name = "waits for all" }.Start();
    }

    private static void Repeat(int count, Func<Task> begin)
    {
        for (int i = 0; i < count; i++)
        {
            s_flows.Add(begin());
        }
    }

    // Not by recursion: so deep a stack does not fit.
    private static Task Chain(int count)
    {
        Task task = s_promise.Task;
        for (int i = 0; i < count; i++)
        {
            task = AwaitAsync(task);
        }

        return task;
    }

    private static async Task AwaitAsync(Task task) => await task;

    private static class Kept
    {
        private static readonly List<TaskCompletionSource> s_all = [];

        public static TaskCompletionSource New()
        {
            TaskCompletionSource promise = new();
            s_all.Add(promise);
            return promise;
        }
    }
}
