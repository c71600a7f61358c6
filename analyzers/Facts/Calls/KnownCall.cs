namespace HangTriage.Facts.Calls;

/// <summary>What is known of one function, system call or method.</summary>
/// <param name="Name">Its name in canonical form (<see cref="CallNames"/>), without its type.</param>
/// <param name="Meaning">What a thread in it does.</param>
/// <param name="Source">Where that is known from.</param>
public sealed record KnownCall(string Name, CallMeaning Meaning, string Source)
{
    /// <summary>The module that has it; null where several have, or any may.</summary>
    public string? Module { get; init; }

    /// <summary>The full name of the .NET type that declares it; null where several do, and for native calls.</summary>
    public string? Type { get; init; }

    /// <summary>Every function whose name begins with <see cref="Name"/>.</summary>
    public bool IsPrefix { get; init; }

    public CallEnd End { get; init; }

    /// <summary>Which of its arguments is the timeout, the first being 1; 0 where none is known.</summary>
    public int TimeoutArgument { get; init; }

    /// <summary>The kernel's number: of Linux on x64; of Windows 10 and 11 on x64, where it is the same in every build.</summary>
    public uint? Number { get; init; }

    /// <summary>The lock that it takes; null where it takes none, or one whose memory is not read.</summary>
    public LockKind? Lock { get; init; }

    /// <summary>What it waits for; null where it waits for nothing, or that depends on the object.</summary>
    public WaitKind? Wait { get; init; }

    /// <summary>The type of the handle behind which somebody has to answer; null where it is not such a call.</summary>
    public string? HandleType { get; init; }

    /// <summary>In which versions it is found; null where in all that are read.</summary>
    public string? Versions { get; init; }

    /// <summary>Whom it waits for outside the process; null where it waits for nobody there.</summary>
    public OutsideEnd? Outside { get; init; }

    /// <summary>What such a wait means.</summary>
    public OutsideWait Awaits { get; init; }

    /// <summary>Whoever calls it waits for a moment at a time and calls it again: the time limit of one call says nothing of the whole.</summary>
    public bool IsTriedAgain { get; init; }

    /// <summary>How reports name it: "Task.Result", "the loading of a library"; null where by its own name.</summary>
    public string? Title { get; init; }
}
