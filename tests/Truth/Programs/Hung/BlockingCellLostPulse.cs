namespace Truth.Hung;

/// <summary>A blocking cell as broker clients have it, without a condition: the pulse came before the wait, and the loop has ended.</summary>
internal static class BlockingCellLostPulse
{
    public static void Run()
    {
        Model model = new();
        Ready.WhenAtRest(() => model.IsAsking, Thread.CurrentThread);
        Console.WriteLine(model.QueueDeclare("orders"));
    }

    private sealed class BlockingCell<T>
    {
        private readonly object _sync = new();
        private T? _value;

        public T? WaitForValue()
        {
            lock (_sync)
            {
                Monitor.Wait(_sync);
                return _value;
            }
        }

        public void ContinueWithValue(T value)
        {
            lock (_sync)
            {
                _value = value;
                Monitor.Pulse(_sync);
            }
        }
    }

    private sealed class Model
    {
        private volatile bool _isAsking;

        public bool IsAsking => _isAsking;

        public string? QueueDeclare(string queue)
        {
            BlockingCell<string> reply = new();
            Thread mainLoop = new(() => reply.ContinueWithValue($"{queue}: declare-ok")) { Name = "main-loop" };
            mainLoop.Start();
            mainLoop.Join();
            _isAsking = true;
            return reply.WaitForValue();
        }
    }
}
