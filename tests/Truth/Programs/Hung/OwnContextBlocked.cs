namespace Truth.Hung;

/// <summary>The thread of a home-made synchronization context blocks on an async method whose rest is posted to it.</summary>
internal static class OwnContextBlocked
{
    public static void Run()
    {
        GamePump pump = new();
        Thread loop = new(pump.Run) { Name = "game-loop" };
        loop.Start();
        Game game = new();
        pump.Post(_ => game.Start(), null);
        Ready.WhenAtRest(() => pump.Queued == 1, loop);
        loop.Join();
    }

    private sealed class Game
    {
        public void Start() => Console.WriteLine(LoadLevelAsync().Result);

        private static async Task<int> LoadLevelAsync()
        {
            await Task.Delay(50);
            return 7;
        }
    }

    private sealed class GamePump : SynchronizationContext
    {
        private readonly Queue<(SendOrPostCallback Callback, object? State)> _frames = new();

        public int Queued
        {
            get
            {
                lock (_frames)
                {
                    return _frames.Count;
                }
            }
        }

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
