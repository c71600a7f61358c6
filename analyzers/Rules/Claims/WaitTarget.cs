using HangTriage.Facts;
using HangTriage.Facts.Time;

namespace HangTriage.Rules.Claims;

/// <summary>What a thread waits for.</summary>
/// <param name="Kind">What kind of thing it is.</param>
/// <param name="Label">As "monitor of App.Account (0x7f…), held by thread 3 (0x123)".</param>
public sealed record WaitTarget(WaitTargetKind Kind, Claim Label)
{
    /// <summary>What the lock or task itself is called, without its owner; null where it is no single one.</summary>
    public Claim? Name { get; init; }

    /// <summary>The lock's kind; null where it waits for something else.</summary>
    public LockKind? Lock { get; init; }

    /// <summary>The lock's or the task's; null for a thread.</summary>
    public Address? Address { get; init; }

    /// <summary>The type or name of the lock or the task; null where it is not known.</summary>
    public string? Type { get; init; }

    /// <summary>The thread that holds it, or whose end is awaited; null where none is known.</summary>
    public ThreadId? Owner { get; init; }

    /// <summary>How long the wait has lasted; null where nothing tells.</summary>
    public Age? Since { get; init; }

    /// <summary>When the wait gives up by itself; null where that is not recorded.</summary>
    public TimeSpan? Timeout { get; init; }
}
