namespace HangTriage.Traces.Timeline;

/// <summary>Keeps the stack of one event.</summary>
internal sealed class KeptStack : IStackTaker
{
    public StackRef Stack { get; private set; }

    public void Take(StackRef stack, ulong ip, uint count) => Stack = stack;
}
