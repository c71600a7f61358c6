using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Context;

/// <summary>How the weakest of several links is known.</summary>
internal static class Links
{
    public static LinkTrust Of(Trust trust) => trust switch
    {
        Trust.Read => LinkTrust.Read,
        Trust.Derived => LinkTrust.Concluded,
        _ => LinkTrust.Guessed,
    };

    public static LinkTrust Weakest(IEnumerable<Trust> links) => links.Select(Of).DefaultIfEmpty(LinkTrust.Read).Max();

    public static LinkTrust Strongest(IEnumerable<Trust> links) => links.Select(Of).DefaultIfEmpty(LinkTrust.Guessed).Min();

    /// <summary>
    /// Of a circle whose owners and waits a runtime records: only a wait can be concluded, in whose hands a signal is, and who has the entries
    /// of a semaphore.
    /// </summary>
    public static LinkTrust OfRecorded(IEnumerable<WaitEdge> round)
        => Weakest(round.Where(IsOpen).Select(edge => edge.Trust));

    private static bool IsOpen(WaitEdge edge)
        => edge.From.Thread is not null
            || edge.Kind == EdgeKind.CompletedBy
            || edge.From.Lock?.Kind == LockKind.SemaphoreSlim
            || edge.Trust is Trust.Scanned or Trust.Assumed;

    /// <summary>Of a circle of native locks: registers and stacks count as read, since they agree with the lock's own counts.</summary>
    public static LinkTrust OfNative(IEnumerable<WaitEdge> round)
        => Weakest(round.Select(edge => edge.Trust)) is LinkTrust.Guessed ? LinkTrust.Guessed : LinkTrust.Read;
}
