using Microsoft.Data.Sqlite;

namespace Truth.Hung;

/// <summary>An import that failed keeps its transaction; what is written next to the same file waits for that.</summary>
internal static class TransactionLeft
{
    public static void Run()
    {
        string source = $"Data Source={Scratch.File("left")};Default Timeout=0;Pooling=False";
        Import import = new(source);
        import.Load("12,50");
        using SqliteConnection audit = new(source);
        audit.Open();
        Thread main = Thread.CurrentThread;
        Ready.When(() => (main.ThreadState & ThreadState.WaitSleepJoin) != 0);
        Append(audit, "refused");
        GC.KeepAlive(import);
    }

    private static void Append(SqliteConnection audit, string text)
    {
        using SqliteCommand command = audit.CreateCommand();
        command.CommandText = $"INSERT INTO booking VALUES ('{text}')";
        command.ExecuteNonQuery();
    }

    private sealed class Import
    {
        private readonly SqliteConnection _connection;
        private SqliteTransaction? _transaction;

        public Import(string source)
        {
            _connection = new SqliteConnection(source);
            _connection.Open();
            using SqliteCommand command = _connection.CreateCommand();
            command.CommandText = "CREATE TABLE booking (text TEXT)";
            command.ExecuteNonQuery();
        }

        public void Load(string line)
        {
            _transaction = _connection.BeginTransaction(deferred: false);
            if (line.Contains(',', StringComparison.Ordinal))
            {
                return;
            }

            _transaction.Commit();
        }
    }
}
