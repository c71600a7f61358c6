namespace HangTriage.Facts;

/// <summary>A handle of a Windows process and what is known of its object.</summary>
public sealed record HandleFacts
{
    /// <summary>The handle's value.</summary>
    public required Address Value { get; init; }

    /// <summary>The object's type: "Event", "Mutant" (a mutex), "Thread".</summary>
    public required Known<string> Type { get; init; }

    /// <summary>The object's own name without its folder; empty where it has none.</summary>
    public required Known<string> Name { get; init; }

    /// <summary>For a mutex, the thread that holds it; a gap where it is free or no owner is recorded. Null for other types.</summary>
    public Known<ThreadId>? Owner { get; init; }

    /// <summary>For a mutex, an event or a semaphore: a wait for it would end at once. Null for other types.</summary>
    public Known<bool>? IsSignaled { get; init; }

    /// <summary>For a thread, its id. Null for other types.</summary>
    public Known<ThreadId>? TargetThread { get; init; }

    /// <summary>For a thread and for a held mutex the process that the thread is in, for a process its own id. Null for other types.</summary>
    public Known<uint>? TargetProcess { get; init; }
}
