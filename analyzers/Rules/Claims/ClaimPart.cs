using HangTriage.Facts;

namespace HangTriage.Rules.Claims;

/// <summary>A piece of a claim: words, and the thing of the target that they name, which a report can link to.</summary>
/// <param name="Text">The words.</param>
public sealed record ClaimPart(string Text)
{
    public ThreadId? Thread { get; init; }

    public LockId? Lock { get; init; }

    /// <summary>The address of a task's object.</summary>
    public Address? Task { get; init; }

    public FrameFacts? Frame { get; init; }

    public bool NamesSomething => Thread is not null || Lock is not null || Task is not null || Frame is not null;
}
