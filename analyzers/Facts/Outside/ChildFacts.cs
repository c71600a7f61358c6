namespace HangTriage.Facts;

/// <summary>A process that this one has started, by its System.Diagnostics.Process.</summary>
public sealed record ChildFacts
{
    public required Known<uint> Id { get; init; }

    /// <summary>
    /// Of its output and its errors, those that were redirected into a pipe and that nobody has begun to read. A gap where the
    /// object is not in the input.
    /// </summary>
    public required Known<UnreadOutput> Unread { get; init; }

    /// <summary>Its input is a pipe that this process has not closed: a child that reads to the end of it waits for that.</summary>
    public bool IsInputOpen { get; init; }
}
