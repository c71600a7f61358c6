using System.Data.Common;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// Gathers the transactions of Microsoft.Data.Sqlite: a database in a file is locked by one of them, often by another thread of the same
/// process (Microsoft.Data.Sqlite 8 to 10: SqliteTransaction, SqliteConnection).
/// </summary>
internal sealed class TransactionVisitor : IHeapVisitor
{
    private const string Type = CommandLimits.Library + "SqliteTransaction";
    private const int Most = 1_024;
    private const int MostText = 4_096;

    private static readonly string[] s_files = ["Data Source", "DataSource", "Filename"];

    private readonly List<ulong> _found = [];

    public bool Wants(ClrType type) => type.Name == Type;

    public void Visit(HeapObject found)
    {
        if (_found.Count < Most)
        {
            _found.Add(found.Address);
        }
    }

    /// <summary>The transactions that are open, by other connections to the database of this one; each with its connection.</summary>
    public IReadOnlyList<(ulong Transaction, ulong Connection)> OpenBeside(ClrHeap heap, ClrObject connection)
        => FileOf(connection) is not { } file ? []
            :
            [
                .. _found.Select(heap.GetObject)
                    .Where(IsOpen)
                    .Select(transaction => (Transaction: transaction, Connection: transaction.Reference("_connection")))
                    .Where(open => !open.Connection.IsNull && open.Connection.Address != connection.Address)
                    .Where(open => FileOf(open.Connection) == file)
                    .Select(open => (open.Transaction.Address, open.Connection.Address)),
            ];

    private static bool IsOpen(ClrObject transaction)
        => transaction.Type?.GetFieldByName("_completed")?.Read<bool>(transaction.Address, interior: false) == false;

    // A database in memory that is not shared is its connection's own.
    private static string? FileOf(ClrObject connection)
    {
        if (connection.Reference("_connectionString") is not { IsNull: false } text)
        {
            return null;
        }

        try
        {
            DbConnectionStringBuilder options = new() { ConnectionString = text.AsString(MostText) };
            return Array.Find(s_files, options.ContainsKey) is { } key && options[key] is string { Length: > 0 } file ? file : null;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}
