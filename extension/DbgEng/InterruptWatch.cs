using HangTriage.DbgEng.Engine;

namespace HangTriage.DbgEng;

/// <summary>Turns the debugger's Ctrl+Break into cancellation. The engine lets any thread ask for it.</summary>
internal sealed class InterruptWatch : IDisposable
{
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(25);

    private readonly CancellationTokenSource _source = new();
    private readonly Timer _timer;

    public InterruptWatch(DebugSession session)
        => _timer = new Timer(
            _ =>
            {
                if (session.TakeInterrupt())
                {
                    _source.Cancel();
                }
            },
            null,
            TimeSpan.Zero,
            s_period);

    public CancellationToken Token => _source.Token;

    public bool IsStopped => _source.IsCancellationRequested;

    /// <summary>Whether a call of the engine succeeded. It can be the first to meet Ctrl+Break, which it then forgets.</summary>
    public bool Succeeded(int result)
    {
        if (result == HResult.Interrupted)
        {
            _source.Cancel();
        }

        return result >= 0;
    }

    public void Dispose()
    {
        using ManualResetEvent ended = new(false);
        if (_timer.Dispose(ended))
        {
            ended.WaitOne();
        }

        _source.Dispose();
    }
}
