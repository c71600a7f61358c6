using Microsoft.Data.Sqlite;

namespace Truth.Hung;

/// <summary>An invoice is posted in a transaction, and its number is taken from the same file over a connection of its own.</summary>
internal static class NumberInTransaction
{
    private static readonly ManualResetEventSlim s_asked = new();

    public static void Run()
    {
        string source = $"Data Source={Scratch.File("series")};Default Timeout=0;Pooling=False";
        using (SqliteConnection first = new(source))
        {
            first.Open();
            Sqlite.Execute(first, "CREATE TABLE invoice (number INTEGER); CREATE TABLE series (last INTEGER)");
        }

        Thread poster = new(() => Post(source)) { Name = "poster" };
        poster.Start();
        Ready.When(() => s_asked.IsSet && (poster.ThreadState & ThreadState.WaitSleepJoin) != 0);
        poster.Join();
    }

    private static void Post(string source)
    {
        using SqliteConnection invoices = new(source);
        invoices.Open();
        using SqliteTransaction transaction = invoices.BeginTransaction(deferred: false);
        Sqlite.Execute(invoices, "INSERT INTO invoice VALUES (0)");
        TakeNumber(source);
        transaction.Commit();
    }

    private static void TakeNumber(string source)
    {
        using SqliteConnection series = new(source);
        series.Open();
        s_asked.Set();
        Sqlite.Execute(series, "UPDATE series SET last = last + 1");
    }
}
