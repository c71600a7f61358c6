namespace Handlers;

/// <summary>An async lock as libraries make them: who has entered has a key, and leaves by disposing of it.</summary>
internal sealed class KeyedLock
{
    private readonly Queue<TaskCompletionSource<IDisposable>> _waiting = new();
    private bool _isTaken;

    public Task<IDisposable> EnterAsync()
    {
        lock (_waiting)
        {
            if (!_isTaken)
            {
                _isTaken = true;
                return Task.FromResult<IDisposable>(new Key(this));
            }

            TaskCompletionSource<IDisposable> turn = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue(turn);
            return turn.Task;
        }
    }

    private void Leave()
    {
        lock (_waiting)
        {
            if (_waiting.TryDequeue(out TaskCompletionSource<IDisposable>? next))
            {
                next.SetResult(new Key(this));
            }
            else
            {
                _isTaken = false;
            }
        }
    }

    private sealed class Key(KeyedLock owner) : IDisposable
    {
        public void Dispose() => owner.Leave();
    }
}

internal sealed class Desk
{
    private readonly KeyedLock _lock = new();

    public async Task EnterAgainAsync()
    {
        using (await _lock.EnterAsync())
        {
            using (await _lock.EnterAsync())
            {
                Console.WriteLine("entered twice");
            }
        }
    }
}

internal sealed class Hall
{
    private readonly KeyedLock _lock = new();

    public async Task HoldAsync()
    {
        using (await _lock.EnterAsync())
        {
            await Task.Delay(TimeSpan.FromHours(1));
        }
    }

    public async Task EnterBehindAsync()
    {
        using (await _lock.EnterAsync())
        {
            Console.WriteLine("entered behind");
        }
    }
}

/// <summary>A table that is made once for all who ask for it, and asks for itself meanwhile.</summary>
internal sealed class Table
{
    private readonly TaskCompletionSource _open = new();
    private readonly Lazy<Task<int>> _rates;

    public Table() => _rates = new Lazy<Task<int>>(LoadAsync);

    public async Task<int> GetAsync(string currency) => currency.Length + await _rates.Value;

    /// <summary>Who waits for that continues here and now.</summary>
    public void Open() => _open.SetResult();

    private async Task<int> LoadAsync()
    {
        await _open.Task;
        return await GetAsync("USD");
    }
}
