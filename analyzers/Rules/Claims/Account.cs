using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Rules.Observing;

namespace HangTriage.Rules.Claims;

/// <summary>What is told of one thing that was seen: who waits for whom, and all that says so.</summary>
public abstract record Account
{
    /// <summary>One sentence: who waits for whom, and what the last one does.</summary>
    public required Claim Title { get; init; }

    public Party? Culprit { get; init; }

    /// <summary>From a victim to the culprit; for a cycle once around it.</summary>
    public IReadOnlyList<ChainLink> Chain { get; init; } = [];

    /// <summary>Who waits; for a cycle those outside it that wait for it.</summary>
    public IReadOnlyList<Party> Victims { get; init; } = [];

    /// <summary>How long the oldest of its waits had lasted, by the times that the target notes; null where nothing tells.</summary>
    public Age? Since { get; init; }

    public IReadOnlyList<Evidence> Evidence { get; init; } = [];

    /// <summary>What speaks against it.</summary>
    public IReadOnlyList<Evidence> Contradictions { get; init; } = [];

    /// <summary>What could not be seen, and would have made it surer or overturned it.</summary>
    public IReadOnlyList<Gap> Gaps { get; init; } = [];

    /// <summary>What to do, the most useful first.</summary>
    public IReadOnlyList<Claim> Advice { get; init; } = [];

    /// <summary>No cause where another hang was found: a request that the process itself is to answer waits for what its handler waits for.</summary>
    public bool YieldsToOthers { get; init; }

    /// <summary>The same for the same hang on another machine.</summary>
    public required HangSignature Signature { get; init; }
}
