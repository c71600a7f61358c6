namespace Truth.Healthy;

/// <summary>A home-made synchronization context with its thread: idle between two steps of an async method that it resumes.</summary>
internal static class PumpIdle
{
    private static int s_steps;

    public static void Run()
    {
        GamePump pump = new();
        Thread loop = new(pump.Run) { Name = "game-loop" };
        loop.Start();
        pump.Post(_ => _ = AnimateAsync(), null);
        Ready.When(() => Volatile.Read(ref s_steps) > 2);
        loop.Join();
    }

    private static async Task AnimateAsync()
    {
        while (true)
        {
            await Task.Delay(200);
            Interlocked.Increment(ref s_steps);
        }
    }

    private sealed class GamePump : SynchronizationContext
    {
        private readonly Queue<(SendOrPostCallback Callback, object? State)> _frames = new();

        public override void Post(SendOrPostCallback d, object? state)
        {
            lock (_frames)
            {
                _frames.Enqueue((d, state));
                Monitor.Pulse(_frames);
            }
        }

        public void Run()
        {
            SetSynchronizationContext(this);
            while (true)
            {
                (SendOrPostCallback callback, object? state) = Next();
                callback(state);
            }
        }

        private (SendOrPostCallback Callback, object? State) Next()
        {
            lock (_frames)
            {
                while (_frames.Count == 0)
                {
                    Monitor.Wait(_frames);
                }

                return _frames.Dequeue();
            }
        }
    }
}
