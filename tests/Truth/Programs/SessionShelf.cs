namespace Truth;

/// <summary>Gives out what it has; who comes when all is out waits, and is served in turn.</summary>
internal sealed class SessionShelf
{
    private readonly Lock _sync = new();
    private readonly Stack<ShelfSession> _idle = new();
    private readonly Queue<TaskCompletionSource<ShelfSession>> _callers = new();

    public SessionShelf(int size)
    {
        for (int number = size; number > 0; number--)
        {
            _idle.Push(new ShelfSession(number));
        }
    }

    public int Waiting
    {
        get
        {
            lock (_sync)
            {
                return _callers.Count;
            }
        }
    }

    public Task<ShelfSession> TakeAsync()
    {
        lock (_sync)
        {
            if (_idle.TryPop(out ShelfSession? session))
            {
                return Task.FromResult(session);
            }

            TaskCompletionSource<ShelfSession> caller = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _callers.Enqueue(caller);
            return caller.Task;
        }
    }

    public void PutBack(ShelfSession session)
    {
        lock (_sync)
        {
            if (_callers.TryDequeue(out TaskCompletionSource<ShelfSession>? caller))
            {
                caller.SetResult(session);
            }
            else
            {
                _idle.Push(session);
            }
        }
    }

    internal sealed record ShelfSession(int Number);
}
