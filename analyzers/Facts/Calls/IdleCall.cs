namespace HangTriage.Facts.Calls;

/// <summary>A call in which a healthy program waits for as long as nothing happens.</summary>
/// <param name="Type">The full name of the type, or its beginning.</param>
/// <param name="Name">The name of the method, or its beginning.</param>
/// <param name="Reason">What it waits for, as in "waits until the host is asked to stop".</param>
/// <param name="Source">Where that is known from.</param>
public sealed record IdleCall(string Type, string Name, string Reason, string Source)
{
    /// <summary>It waits for work that somebody in the process brings: where nobody is left who could, it does not end.</summary>
    public bool IsForWork { get; init; }
}
