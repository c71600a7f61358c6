using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>A task on a scheduler of one thread waits for a task that is queued to the same scheduler.</summary>
internal static class OwnSchedulerBlocked
{
    public static void Run()
    {
        SingleThreadScheduler scheduler = new("billing-writer");
        Billing billing = new(scheduler);
        Ready.WhenAtRest(() => scheduler.Queued == 1, scheduler.Thread, Thread.CurrentThread);
        Task.Factory.StartNew(billing.Post, CancellationToken.None, TaskCreationOptions.None, scheduler).Wait();
    }

    private sealed class Billing(TaskScheduler scheduler)
    {
        public void Post()
            => Task.Factory.StartNew(Validate, CancellationToken.None, TaskCreationOptions.None, scheduler).Wait();

        private static void Validate() => Console.WriteLine("valid");
    }

    private sealed class SingleThreadScheduler : TaskScheduler
    {
        private readonly BlockingCollection<Task> _tasks = [];

        public SingleThreadScheduler(string name)
        {
            Thread = new Thread(Run) { Name = name, IsBackground = true };
            Thread.Start();
        }

        public Thread Thread { get; }

        public int Queued => _tasks.Count;

        protected override void QueueTask(Task task) => _tasks.Add(task);

        // What is written keeps its order.
        protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => false;

        protected override IEnumerable<Task> GetScheduledTasks() => [.. _tasks];

        private void Run()
        {
            foreach (Task task in _tasks.GetConsumingEnumerable())
            {
                TryExecuteTask(task);
            }
        }
    }
}
