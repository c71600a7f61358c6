using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Context;

/// <summary>Threads, or async methods of one kind, that wait for something that nothing which runs can bring.</summary>
internal sealed class LostWait
{
    /// <summary>Who waits for it, of threads; empty for async methods.</summary>
    public required IReadOnlyList<WaitFacts> Waits { get; init; }

    /// <summary>The async methods; null for threads.</summary>
    public FlowGroup? Flow { get; init; }

    public required WaitReach Reach { get; init; }

    /// <summary>How many wait.</summary>
    public int Count => Flow?.Count ?? Waits.Count;

    public bool IsFor(ThreadId thread) => Waits.Any(wait => wait.Thread == thread);

    public Party Party(RuleContext context) => Flow is { } flow ? Parties.OfFlow(flow) : Parties.OfThread(context, Waits[0].Thread);
}
