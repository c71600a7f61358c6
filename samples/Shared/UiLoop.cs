using System.Collections.Concurrent;

namespace Samples;

/// <summary>A thread that runs what is posted to it, one at a time, as the thread of a user interface does.</summary>
internal sealed class UiLoop : SynchronizationContext, IDisposable
{
    private readonly BlockingCollection<(SendOrPostCallback Callback, object? State)> _messages = [];
    private readonly Thread _thread;

    public UiLoop(string name) => _thread = new Thread(Run) { Name = name, IsBackground = true };

    /// <summary>Messages that nobody has taken yet.</summary>
    public int Waiting => _messages.Count;

    public bool IsBlocked => ThreadRest.IsAtRest(_thread);

    public void Start() => _thread.Start();

    public override void Post(SendOrPostCallback d, object? state) => _messages.Add((d, state));

    public override void Send(SendOrPostCallback d, object? state) => throw new NotSupportedException();

    public void Dispose() => _messages.Dispose();

    private void Run()
    {
        SetSynchronizationContext(this);
        foreach ((SendOrPostCallback callback, object? state) in _messages.GetConsumingEnumerable())
        {
            callback(state);
        }
    }
}
