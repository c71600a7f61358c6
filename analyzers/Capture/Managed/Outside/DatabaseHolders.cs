using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Who of this process has the database of Microsoft.Data.Sqlite that a thread waits for.</summary>
internal sealed class DatabaseHolders(IReadOnlyList<ClrThread> threads, TransactionVisitor? transactions)
{
    /// <summary>
    /// The wait, with the thread that has a transaction open in the same database, or with the fact that nobody works with one.
    /// </summary>
    /// <param name="wait">The wait.</param>
    /// <param name="thread">The thread that waits.</param>
    /// <param name="objects">What its stack holds.</param>
    public OutsideWaitFacts With(OutsideWaitFacts wait, ClrThread thread, IReadOnlyList<ClrObject> objects)
    {
        if (transactions is null || CommandLimits.ConnectionOf(objects) is not { IsNull: false } connection)
        {
            return wait;
        }

        HashSet<ulong> open =
        [
            .. transactions.OpenBeside(thread.Runtime.Heap, connection)
                .SelectMany(found => new[] { found.Transaction, found.Connection }),
        ];
        ClrThread? holder = open.Count == 0 ? null
            : threads.FirstOrDefault(other => other.OSThreadId != thread.OSThreadId
                && StackRoots.Of(other).Any(root => open.Contains(root.Object.Address)));
        return open.Count == 0 ? wait
            : holder is null ? wait with { IsLeftOpen = true }
            : wait with { Holder = new ThreadId(holder.OSThreadId) };
    }
}
