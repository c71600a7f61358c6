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
    private const string OfConnection = "<Transaction>k__BackingField";
    private const string Connection = CommandLimits.Library + "SqliteConnection";
    private const int Most = 1_024;
    private const int MostText = 4_096;

    private static readonly string[] s_files = ["Data Source", "DataSource", "Filename"];

    private readonly List<ulong> _found = [];
    private readonly List<ulong> _connections = [];

    public bool Wants(ClrType type) => type.Name is Type or Connection;

    public void Visit(HeapObject found)
    {
        List<ulong> list = found.Type.Name == Type ? _found : _connections;
        if (list.Count < Most)
        {
            list.Add(found.Address);
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

    /// <summary>
    /// Transactions of this process are over, which no longer say of which database, and it has other connections to the database of this
    /// one: it may itself lock it now and again.
    /// </summary>
    public bool IsSharedBeside(ClrHeap heap, ClrObject connection)
        => FileOf(connection) is { } file
            && _found.Select(heap.GetObject).Any(transaction => transaction.Reference("_connection").IsNull)
            && _connections.Where(other => other != connection.Address).Any(other => FileOf(heap.GetObject(other)) == file);

    // The connection has it only when it has begun: who waits for the lock is still in the constructor.
    private static bool IsOpen(ClrObject transaction)
        => transaction.Type?.GetFieldByName("_completed")?.Read<bool>(transaction.Address, interior: false) == false
            && (!transaction.Reference("_connection").Has(OfConnection)
                || transaction.Reference("_connection").Reference(OfConnection).Address == transaction.Address);

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
