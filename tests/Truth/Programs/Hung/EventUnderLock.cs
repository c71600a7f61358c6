using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>An event is raised under a lock, and its handler waits for a reply of a thread that needs the lock to give it.</summary>
internal static class EventUnderLock
{
    public static void Run()
    {
        OrderBook book = new();
        BlockingCollection<TaskCompletionSource<int>> questions = [];
        Thread view = new(() => Answer(book, questions)) { Name = "view", IsBackground = true };
        view.Start();
        book.Changed += () => Show(questions);
        Ready.WhenAtRest(() => true, view, Thread.CurrentThread);
        book.Add();
    }

    private static void Answer(OrderBook book, BlockingCollection<TaskCompletionSource<int>> questions)
    {
        foreach (TaskCompletionSource<int> question in questions.GetConsumingEnumerable())
        {
            question.SetResult(book.Count);
        }
    }

    private static void Show(BlockingCollection<TaskCompletionSource<int>> questions)
    {
        TaskCompletionSource<int> question = new();
        questions.Add(question);
        Console.WriteLine(question.Task.Result);
    }

    private sealed class OrderBook
    {
        private readonly object _gate = new();
        private int _count;

        public event Action? Changed;

        public int Count
        {
            get
            {
                lock (_gate)
                {
                    return _count;
                }
            }
        }

        public void Add()
        {
            lock (_gate)
            {
                _count++;
                Changed?.Invoke();
            }
        }
    }
}
