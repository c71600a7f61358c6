namespace AsyncFlows;

/// <summary>A context that keeps what is posted and never runs it.</summary>
internal sealed class HeldContext : SynchronizationContext
{
    private readonly List<object> _posted = [];

    public override void Post(SendOrPostCallback d, object? state) => _posted.Add((d, state));
}
