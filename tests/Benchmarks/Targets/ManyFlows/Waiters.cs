namespace ManyFlows;

/// <summary>Crowds of async methods.</summary>
internal static class Waiters
{
    public static IReadOnlyList<Task> OfOneTask(int count)
    {
        TaskCompletionSource never = new();
        return [.. Enumerable.Range(0, count).Select(_ => Wait(never.Task))];
    }

    public static IReadOnlyList<Task> OfOneSemaphore(int count)
    {
        SemaphoreSlim taken = new(0, 1);
        return [.. Enumerable.Range(0, count).Select(_ => Take(taken))];
    }

    /// <summary>Each waits for the one before, and the first for what never comes.</summary>
    public static Task OfEachOther(int count)
    {
        Task last = new TaskCompletionSource().Task;
        for (int i = 0; i < count; i++)
        {
            last = Wait(last);
        }

        return last;
    }

    private static async Task Wait(Task task) => await task;

    private static async Task Take(SemaphoreSlim semaphore)
    {
        await semaphore.WaitAsync();
        semaphore.Release();
    }
}
