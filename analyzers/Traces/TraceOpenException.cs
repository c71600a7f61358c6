namespace HangTriage.Traces;

/// <summary>The trace cannot be read at all. The message is one line for the user: what is wrong, with field, value and limit.</summary>
public sealed class TraceOpenException : Exception
{
    public TraceOpenException(string message)
        : base(message)
    {
    }

    public TraceOpenException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
