namespace HangTriage.Traces.Timeline;

/// <summary>What wants the stack of an event.</summary>
internal interface IStackTaker
{
    /// <summary>Gets the stack once, empty where the trace has none.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="ip">What was said when it was asked for: the instruction of a sample.</param>
    /// <param name="count">What was said when it was asked for: how many samples.</param>
    void Take(StackRef stack, ulong ip, uint count);
}
