using Microsoft.Data.Sqlite;

namespace Truth.Healthy;

/// <summary>Two threads write to one SQLite file in turns, with short transactions and the usual timeout.</summary>
internal static class SqliteInTurns
{
    private static int s_written;

    public static void Run()
    {
        string source = $"Data Source={Scratch.File("turns.db")}";
        using (SqliteConnection connection = new(source))
        {
            connection.Open();
            Execute(connection, null, "create table Reading (Value integer)");
        }

        Thread[] writers = [.. Enumerable.Range(1, 2).Select(number => new Thread(() => WriteForEver(source)) { Name = $"writer-{number}" })];
        foreach (Thread writer in writers)
        {
            writer.Start();
        }

        Ready.When(() => Volatile.Read(ref s_written) > 5);
        foreach (Thread writer in writers)
        {
            writer.Join();
        }
    }

    private static void WriteForEver(string source)
    {
        using SqliteConnection connection = new(source);
        connection.Open();
        while (true)
        {
            using (SqliteTransaction transaction = connection.BeginTransaction())
            {
                for (int i = 0; i < 20; i++)
                {
                    Execute(connection, transaction, "insert into Reading values (1)");
                }

                transaction.Commit();
            }

            Interlocked.Increment(ref s_written);
            Thread.Sleep(10);
        }
    }

    private static void Execute(SqliteConnection connection, SqliteTransaction? transaction, string sql)
    {
        using SqliteCommand command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }
}
