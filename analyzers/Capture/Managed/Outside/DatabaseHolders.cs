using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Who of this process has the database of Microsoft.Data.Sqlite that a thread waits for.</summary>
internal sealed class DatabaseHolders(IReadOnlyList<ClrThread> threads, TransactionVisitor? transactions)
{
    private const int MostObjects = 1_024;
    private const string Libraries = "Microsoft.";

    /// <summary>
    /// The wait, with the thread that has a transaction open in the same database, which can be the one that waits, on another connection, or
    /// with the fact that nobody works with one.
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

        IReadOnlyList<(ulong Transaction, ulong Connection)> open = transactions.OpenBeside(thread.Runtime.Heap, connection);
        if (open.Count == 0)
        {
            return wait with { IsSharedHere = transactions.IsSharedBeside(thread.Runtime.Heap, connection) };
        }

        ClrThread? holder = Have(objects, open) || HaveAround(objects, open) ? thread : HolderBeside(thread, open);
        return holder is null ? wait with { IsLeftOpen = true } : wait with { Holder = new ThreadId(holder.OSThreadId) };
    }

    private ClrThread? HolderBeside(ClrThread thread, IReadOnlyList<(ulong Transaction, ulong Connection)> open)
    {
        ClrThread[] others = [.. threads.Where(other => other.OSThreadId != thread.OSThreadId)];
        return Array.Find(others, other => Have(ObjectsOf(other), open))
            ?? Array.Find(others, other => HaveAround(ObjectsOf(other), open));
    }

    private static IEnumerable<ClrObject> ObjectsOf(ClrThread thread) => StackRoots.Of(thread).Select(root => root.Object);

    private static bool Have(IEnumerable<ClrObject> objects, IReadOnlyList<(ulong Transaction, ulong Connection)> open)
        => objects.Any(held => open.Any(found => found.Transaction == held.Address || found.Connection == held.Address));

    // In an object of a library around it, as Entity Framework's transaction. What the program's own objects have, such as a service that
    // Main has made, somebody else may work with.
    private static bool HaveAround(IEnumerable<ClrObject> objects, IReadOnlyList<(ulong Transaction, ulong Connection)> open)
        => objects
            .Where(found => found is { IsNull: false, Type.Name: { } name } && name.StartsWith(Libraries, StringComparison.Ordinal))
            .Take(MostObjects)
            .SelectMany(ObjectFields.ReferencesOf)
            .Any(target => open.Any(found => found.Transaction == target.Address));
}
