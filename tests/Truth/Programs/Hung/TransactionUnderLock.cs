using Microsoft.Data.Sqlite;

namespace Truth.Hung;

/// <summary>The cashier writes to a file under a lock; who has a transaction in that file wants the lock.</summary>
internal static class TransactionUnderLock
{
    private static readonly object s_totals = new();
    private static readonly ManualResetEventSlim s_booked = new();
    private static readonly ManualResetEventSlim s_counting = new();

    public static void Run()
    {
        string source = $"Data Source={Scratch.File("under-lock")};Default Timeout=0;Pooling=False";
        using (SqliteConnection first = new(source))
        {
            first.Open();
            Sqlite.Execute(first, "CREATE TABLE sale (text TEXT)");
        }

        Thread booker = new(() => Book(source)) { Name = "booker" };
        Thread cashier = new(() => Count(source)) { Name = "cashier" };
        booker.Start();
        cashier.Start();
        Ready.When(() => s_booked.IsSet && s_counting.IsSet
            && Array.TrueForAll([booker, cashier], thread => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0));
        booker.Join();
    }

    private static void Book(string source)
    {
        using SqliteConnection bookings = new(source);
        bookings.Open();
        using SqliteTransaction transaction = bookings.BeginTransaction(deferred: false);
        s_booked.Set();
        s_counting.Wait();
        lock (s_totals)
        {
            transaction.Commit();
        }
    }

    private static void Count(string source)
    {
        s_booked.Wait();
        lock (s_totals)
        {
            s_counting.Set();
            using SqliteConnection totals = new(source);
            totals.Open();
            Sqlite.Execute(totals, "INSERT INTO sale VALUES ('total')");
        }
    }
}
