using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Suspects;

namespace HangTriage.Rules;

/// <summary>A thread that waits, and no rule tells why.</summary>
/// <param name="Gap">What is not known of it.</param>
/// <param name="Chain">From the thread to the end of what could be followed; empty where nothing could.</param>
/// <param name="Threads">Who waits behind the same end, the one that the gap names first.</param>
internal sealed record UnexplainedWait(Gap Gap, IReadOnlyList<WaitEdge> Chain, IReadOnlyList<ThreadId> Threads)
{
    /// <summary>What it waits for at the end of its chain, as far as that tells what kind of hang it would be.</summary>
    public SuspectKind Kind { get; init; } = SuspectKind.Lock;
}
