namespace HangTriage.Facts;

public enum FlowQueueEnd
{
    /// <summary>It waits for something to read.</summary>
    Reader,

    /// <summary>It waits for room to write.</summary>
    Writer,
}
