using System.Collections.Concurrent;

namespace OwnContextSend;

/// <summary>A context whose thread runs what is posted and sent to it.</summary>
internal sealed class Pump : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _calls = [];

    public override void Post(SendOrPostCallback d, object? state) => _calls.Add((d, state));

    public override void Send(SendOrPostCallback d, object? state)
    {
        using ManualResetEventSlim done = new();
        Post(
            _ =>
            {
                d(state);
                done.Set();
            },
            null);
        done.Wait();
    }

    public void Run()
    {
        SetSynchronizationContext(this);
        foreach ((SendOrPostCallback callback, object? state) in _calls.GetConsumingEnumerable())
        {
            callback(state);
        }
    }
}
