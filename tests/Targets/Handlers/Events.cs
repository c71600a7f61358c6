namespace Handlers;

internal sealed class RingEventArgs(int number) : EventArgs
{
    public int Number { get; } = number;
}

internal sealed class StrikeEventArgs : EventArgs;

internal delegate void Blown(int times);

internal sealed class Bell
{
    public event EventHandler<RingEventArgs>? Rang;

    public void RingOnce()
    {
        if (Environment.ProcessId == 0)
        {
            Rang?.Invoke(this, new RingEventArgs(1));
        }
    }
}

internal sealed class LostWaiter
{
    private readonly TaskCompletionSource _rang = new();

    public LostWaiter(Bell bell) => bell.Rang += OnRang;

    public async Task LostEventAsync() => await _rang.Task;

    private void OnRang(object? sender, RingEventArgs e) => _rang.SetResult();
}

internal sealed class Gong
{
    public event EventHandler<StrikeEventArgs>? Struck;

    public void Strike()
    {
        for (int count = 0; ; count++)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            Struck?.Invoke(this, new StrikeEventArgs());
        }
    }
}

internal sealed class RemovedWaiter
{
    private readonly TaskCompletionSource _struck = new();
    private readonly Gong _gong;

    public RemovedWaiter(Gong gong)
    {
        _gong = gong;
        _gong.Struck += OnStruck;
    }

    public async Task RemovedHandlerAsync() => await _struck.Task;

    public void Remove() => _gong.Struck -= OnStruck;

    private void OnStruck(object? sender, StrikeEventArgs e) => _struck.TrySetResult();
}

internal sealed class Horn
{
    public event Blown? Blew;

    public void Blow()
    {
        for (int times = 0; ; times++)
        {
            Thread.Sleep(TimeSpan.FromHours(1));
            if (times % 2 == 1)
            {
                Blew?.Invoke(times);
            }
        }
    }
}

internal sealed class RaisedWaiter
{
    private readonly TaskCompletionSource<int> _blew = new();

    public RaisedWaiter(Horn horn) => horn.Blew += OnBlew;

    public async Task RaisedEventAsync() => await _blew.Task;

    private void OnBlew(int times) => _blew.TrySetResult(times);
}
