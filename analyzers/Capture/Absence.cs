namespace HangTriage.Capture;

/// <summary>The words for what a source does not have, in its own terms.</summary>
public sealed record Absence
{
    /// <summary>Why a fact is missing, such as "this ELF core does not record it".</summary>
    public required string OfFact { get; init; }

    /// <summary>What to say of memory that is missing, behind its name in the singular, such as "is not in the dump".</summary>
    public required string OfMemory { get; init; }

    /// <summary>The same behind a name in the plural.</summary>
    public required string OfMemories { get; init; }

    /// <summary>Why no thread has a processor time, where none has one; as for any fact unless the source says more.</summary>
    public string OfTimes { get => field ?? OfFact; init; }

    public static Absence InDebugger { get; } = new()
    {
        OfFact = "the debugger does not tell it",
        OfMemory = "cannot be read",
        OfMemories = "cannot be read",
    };

    public static Absence InProcess { get; } = new()
    {
        OfFact = "the kernel does not say",
        OfMemory = "cannot be read",
        OfMemories = "cannot be read",
    };

    public static Absence InWindowsProcess { get; } = new()
    {
        OfFact = "the system does not say",
        OfMemory = "cannot be read",
        OfMemories = "cannot be read",
    };

    public static Absence InMinidump { get; } = new()
    {
        OfFact = "the dump does not say",
        OfMemory = "is not in the dump",
        OfMemories = "are not in the dump",
    };

    public static Absence InCore { get; } = new()
    {
        OfFact = "this ELF core does not record it",
        OfMemory = "is not in the core",
        OfMemories = "are not in the core",
        OfTimes = "the program that wrote the core recorded none: every thread has zero",
    };
}
