namespace HangTriage.Capture;

/// <summary>The input cannot be read at all. The message is one line for the user: what is wrong, with field, value and limit.</summary>
public sealed class TargetOpenException : Exception
{
    public TargetOpenException(string message)
        : base(message)
    {
    }

    public TargetOpenException(string message, Exception innerException)
        : base(message, innerException)
    {
    }
}
