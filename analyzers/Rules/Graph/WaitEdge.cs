using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>One node cannot continue before the other does.</summary>
/// <param name="From">Who waits, or the lock that is held.</param>
/// <param name="To">What is waited for, or who holds it.</param>
/// <param name="Kind">How the two are joined.</param>
/// <param name="Trust">How the edge is known.</param>
/// <param name="Source">Where it was seen.</param>
public sealed record WaitEdge(WaitNode From, WaitNode To, EdgeKind Kind, Trust Trust, string Source)
{
    /// <summary>
    /// When the wait gives up by itself; <see cref="Timeout.InfiniteTimeSpan"/> for never. Holding has no end of its own.
    /// </summary>
    public Known<TimeSpan> Timeout { get; init; } = Known.Derived(System.Threading.Timeout.InfiniteTimeSpan);

    /// <summary>For one of several things of which any ends the wait: how many they are. 1 where there is but one.</summary>
    public int Alternatives { get; init; } = 1;

    /// <summary>The wait has a timeout, though which is not known.</summary>
    public bool HasSomeTimeout { get; init; }

    /// <summary>Who waits goes round a loop until it is told to end: it is not kept from anything.</summary>
    public bool LastsByDesign { get; init; }

    /// <summary>The wait may end without the other node.</summary>
    public bool EndsByItself => HasSomeTimeout || Timeout.Is(WaitLimit.EndsBeforeOwner);
}
