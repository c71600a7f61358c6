namespace TaskWaits;

/// <summary>A scheduler whose tasks run one after the other on the thread that made it.</summary>
internal sealed class OwnScheduler : TaskScheduler
{
    private readonly Queue<Task> _queue = new();

    /// <summary>Runs a task that blocks on another of the same scheduler: nobody is left to run that one.</summary>
    public static void BlockOnItself()
    {
        OwnScheduler scheduler = new();
        _ = scheduler.Start(() => scheduler.Start(() => { }).Wait());
        scheduler.TryExecuteTask(scheduler._queue.Dequeue());
    }

    /// <summary>Runs a task that blocks on an async method, the rest of which is queued to the same scheduler.</summary>
    public static void BlockOnItsContinuation()
    {
        OwnScheduler scheduler = new();
        _ = scheduler.Start(() =>
        {
            TaskCompletionSource begun = new();
            Task end = EndAsync(begun.Task);
            new Thread(begun.SetResult) { IsBackground = true }.Start();
            end.Wait();
        });
        scheduler.TryExecuteTask(scheduler._queue.Dequeue());
    }

    protected override IEnumerable<Task> GetScheduledTasks() => _queue;

    protected override void QueueTask(Task task) => _queue.Enqueue(task);

    protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

    private static async Task EndAsync(Task begun) => await begun;

    private Task Start(Action action) => Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.None, this);
}
