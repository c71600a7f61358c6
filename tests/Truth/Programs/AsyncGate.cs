using System.Threading.Tasks.Sources;

namespace Truth;

/// <summary>An async lock as libraries make them: promises of a type of its own, and a finalizer that lets everybody go.</summary>
internal sealed class AsyncGate
{
    private readonly Queue<Turn> _waiting = new();
    private bool _isTaken;

    ~AsyncGate()
    {
        foreach (Turn turn in _waiting)
        {
            turn.Come();
        }
    }

    public int Waiting
    {
        get
        {
            lock (_waiting)
            {
                return _waiting.Count;
            }
        }
    }

    public ValueTask EnterAsync()
    {
        lock (_waiting)
        {
            if (!_isTaken)
            {
                _isTaken = true;
                return ValueTask.CompletedTask;
            }

            Turn turn = new();
            _waiting.Enqueue(turn);
            return new ValueTask(turn, turn.Version);
        }
    }

    public void Leave()
    {
        Turn? next;
        lock (_waiting)
        {
            _isTaken = _waiting.TryDequeue(out next);
        }

        next?.Come();
    }

    private sealed class Turn : IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };

        public short Version => _core.Version;

        public void Come() => _core.SetResult(true);

        public void GetResult(short token) => _core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
            => _core.OnCompleted(continuation, state, token, flags);
    }
}
