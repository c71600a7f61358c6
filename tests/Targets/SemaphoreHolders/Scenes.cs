namespace SemaphoreHolders;

/// <summary>Threads and async methods that have entries of semaphores; each says at its place whether it does.</summary>
internal static class Scenes
{
    private static readonly SemaphoreSlim s_shared = new(1, 1);
    private static readonly ManualResetEvent s_never = new(initialState: false);
    private static readonly TaskCompletionSource s_open = new();

    /// <summary>Waits by Wait, and gives back in a finally block.</summary>
    public sealed class Till
    {
        private readonly SemaphoreSlim _drawer = new(1, 1);

        public void Hold()
        {
            _drawer.Wait();
            try
            {
                Rest();
            }
            finally
            {
                _ = _drawer.Release();
            }
        }
    }

    /// <summary>Gives back without a finally block, and a constructor gave the semaphore no bound.</summary>
    public sealed class Ledger
    {
        private readonly SemaphoreSlim _page = new(1);

        public void Hold()
        {
            _page.Wait();
            Rest();
            _ = _page.Release();
        }
    }

    /// <summary>Enters by await, and works on a thread.</summary>
    public sealed class Office
    {
        private readonly SemaphoreSlim _writer = new(1, 1);

        public async Task WaitAsync()
        {
            await _writer.WaitAsync();
            _ = _writer.Release();
        }

        public async Task HoldAsync()
        {
            await _writer.WaitAsync();
            try
            {
                Rest();
            }
            finally
            {
                _ = _writer.Release();
            }
        }
    }

    /// <summary>Has given the entry back, and somebody else has taken it for good.</summary>
    public sealed class Gone
    {
        private readonly SemaphoreSlim _door = new(1, 1);

        public void Leave()
        {
            _door.Wait();
            try
            {
                GC.KeepAlive(this);
            }
            finally
            {
                _ = _door.Release();
            }

            Take();
            Rest();
        }

        public void Enter()
        {
            _door.Wait();
            _ = _door.Release();
        }

        private void Take() => _door.Wait();
    }

    /// <summary>Tells others, and owns nothing: who waits is not the one who releases.</summary>
    public sealed class Bell
    {
        private readonly SemaphoreSlim _rung = new(0);

        public void Serve()
        {
            while (true)
            {
                _rung.Wait();
                Rest();
            }
        }

        public void Ring()
        {
            Rest();
            _ = _rung.Release();
        }
    }

    /// <summary>Tells others when it has ended, and took nothing for that.</summary>
    public sealed class Runner
    {
        private readonly SemaphoreSlim _home = new(0);

        public void Run()
        {
            try
            {
                Rest();
            }
            finally
            {
                _ = _home.Release();
            }
        }

        public void Await() => _home.Wait();
    }

    /// <summary>One of several that may be in at once, where nothing says how many.</summary>
    public sealed class Hall
    {
        private readonly SemaphoreSlim _seats = new(2);

        public void Sit()
        {
            _seats.Wait();
            try
            {
                Rest();
            }
            finally
            {
                _ = _seats.Release();
            }
        }

        public async Task SitAsync()
        {
            await _seats.WaitAsync();
            try
            {
                await s_open.Task;
            }
            finally
            {
                _ = _seats.Release();
            }
        }
    }

    /// <summary>The semaphore is a variable.</summary>
    public static void HoldVariable(SemaphoreSlim gate)
    {
        gate.Wait();
        try
        {
            Rest();
        }
        finally
        {
            _ = gate.Release();
        }
    }

    /// <summary>The semaphore is in a static field.</summary>
    public static void HoldShared()
    {
        s_shared.Wait();
        try
        {
            Rest();
        }
        finally
        {
            _ = s_shared.Release();
        }
    }

    /// <summary>An async method holds it, and another one of another name waits.</summary>
    public sealed class Desk
    {
        private readonly SemaphoreSlim _lamp = new(1, 1);

        public async Task ReadAsync()
        {
            await _lamp.WaitAsync();
            try
            {
                await s_open.Task;
            }
            finally
            {
                _ = _lamp.Release();
            }
        }

        public async Task WriteAsync()
        {
            await _lamp.WaitAsync();
            try
            {
                await Task.Delay(1);
            }
            finally
            {
                _ = _lamp.Release();
            }
        }
    }

    private static void Rest() => s_never.WaitOne();
}
