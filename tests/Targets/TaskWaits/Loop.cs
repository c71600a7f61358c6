using System.Collections.Concurrent;

namespace TaskWaits;

/// <summary>A context whose one thread is whoever calls Run.</summary>
internal sealed class Loop : SynchronizationContext
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _messages = [];

    public override void Post(SendOrPostCallback d, object? state) => _messages.Add((d, state));

    /// <summary>Runs the handler and then what is posted; never returns.</summary>
    public void Run(Action handler)
    {
        SetSynchronizationContext(this);
        handler();
        foreach ((SendOrPostCallback callback, object? state) in _messages.GetConsumingEnumerable())
        {
            callback(state);
        }
    }
}
