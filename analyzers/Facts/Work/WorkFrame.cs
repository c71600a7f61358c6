namespace HangTriage.Facts;

/// <summary>
/// A frame of the program's own of a thread at work. What is compared is kept as hashes: no contents of memory are in the facts.
/// </summary>
public sealed record WorkFrame
{
    /// <summary>As <see cref="FrameFacts.Method"/> has it.</summary>
    public required string Method { get; init; }

    public required Address Ip { get; init; }

    /// <summary>The innermost loop of the method around the place; null where the place is in none, or is unknown.</summary>
    public WorkLoop? Loop { get; init; }

    /// <summary>The place in the method is known: without a loop it is in none.</summary>
    public bool IsPlaceKnown { get; init; }

    /// <summary>The thread is in this frame itself, in no call.</summary>
    public bool IsInnermost { get; init; }

    /// <summary>Its caller is the program's own, too.</summary>
    public bool IsCalledByProgram { get; init; }

    /// <summary>
    /// Of its variables: the words of its frame and, but for the innermost frame, the registers that calls keep. Null where they were not
    /// read.
    /// </summary>
    public string? Locals { get; init; }

    /// <summary>The same as <see cref="Locals"/>, but of references no more than the types of what they lead to.</summary>
    public string? Outline { get; init; }

    /// <summary>Of the objects that its variables and its static fields lead to, a few steps far. Null where they were not read.</summary>
    public string? Content { get; init; }

    /// <summary>
    /// For a thread that is in this frame itself: each register. Null for others, and where the method computes in registers that were
    /// not read.
    /// </summary>
    public IReadOnlyList<string>? Registers { get; init; }

    /// <summary>The loops of its machine code that it is in and that nothing outside can end, the outermost first; null where none was
    /// read.</summary>
    public IReadOnlyList<WorkRound>? Rounds { get; init; }
}
