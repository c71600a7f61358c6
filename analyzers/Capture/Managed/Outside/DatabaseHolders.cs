using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Who of this process has the database of Microsoft.Data.Sqlite that a thread waits for.</summary>
internal sealed class DatabaseHolders(IReadOnlyList<ClrThread> threads, TransactionVisitor? transactions)
{
    private const int Deepest = 2;
    private const int MostObjects = 1_024;

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
                && Have(StackRoots.Of(other).Select(root => root.Object), open));
        return open.Count == 0 ? wait with { IsSharedHere = transactions.IsSharedBeside(thread.Runtime.Heap, connection) }
            : holder is null ? wait with { IsLeftOpen = true }
            : wait with { Holder = new ThreadId(holder.OSThreadId) };
    }

    // Itself or in an object of a library around it, as Entity Framework's transaction.
    private static bool Have(IEnumerable<ClrObject> held, HashSet<ulong> open)
    {
        HashSet<ulong> seen = [];
        ClrObject[] level = [.. held];
        for (int depth = 0; depth <= Deepest; depth++)
        {
            ClrObject[] found =
                [.. level.Where(target => target is { IsNull: false, Type: not null } && seen.Add(target.Address)).Take(MostObjects)];
            if (Array.Exists(found, target => open.Contains(target.Address)))
            {
                return true;
            }

            level = [.. found.SelectMany(ObjectFields.ReferencesOf)];
        }

        return false;
    }
}
