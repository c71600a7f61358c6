using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Suspects;

/// <summary>Threads in a wait whose end is unknown, and that is not known to be idling.</summary>
public sealed record Suspect
{
    public required SuspectKind Kind { get; init; }

    public required Weight Weight { get; init; }

    /// <summary>Who waits, the first of them at its head.</summary>
    public required IReadOnlyList<Party> Waiters { get; init; }

    /// <summary>How many wait: threads, or async methods of which <see cref="Waiters"/> names one.</summary>
    public required int Count { get; init; }

    /// <summary>One sentence: who waits where for what, and what is not known of it.</summary>
    public required Claim Title { get; init; }

    /// <summary>What is not known of it.</summary>
    public required Gap Unknown { get; init; }

    /// <summary>From the first waiter to the end of what could be followed; empty where nothing could.</summary>
    internal IReadOnlyList<WaitEdge> Chain { get; init; } = [];

    /// <summary>Who is to end the wait, has it in hand and waits himself: the last of them; null where none is seen.</summary>
    public Party? Bearer { get; init; }

    /// <summary>Work under way that may end the wait, and who does it; null where none is seen.</summary>
    public Claim? Work { get; init; }

    /// <summary>Who waits is inside the only method that could end the wait; null where that is not so, or not known.</summary>
    public OwnGiver? OwnGiver { get; init; }

    /// <summary>The only code that ends the wait has ended with an exception; null where that is not so, or not known.</summary>
    public FailedGiver? FailedGiver { get; init; }

    /// <summary>It keeps the process from being called healthy.</summary>
    public bool Matters => Weight != Weight.None && Work is null;
}
