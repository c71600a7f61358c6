using Microsoft.Data.Sqlite;

namespace Truth.Healthy;

/// <summary>Main writes to a file that a thread has locked while it asks slow tills, again and again.</summary>
internal static class TransactionOfSleeper
{
    private static int s_rounds;

    public static void Run()
    {
        string source = $"Data Source={Scratch.File("sleeper")};Default Timeout=0;Pooling=False";
        using SqliteConnection notes = new(source);
        notes.Open();
        Sqlite.Execute(notes, "CREATE TABLE sale (text TEXT)");
        new Thread(() => Collect(source)) { Name = "till-collector", IsBackground = true }.Start();
        SpinWait.SpinUntil(() => Volatile.Read(ref s_rounds) > 0);
        Thread main = Thread.CurrentThread;
        Ready.When(() => (main.ThreadState & ThreadState.WaitSleepJoin) != 0);
        while (true)
        {
            Sqlite.Execute(notes, "INSERT INTO sale VALUES ('note')");
        }
    }

    private static void Collect(string source)
    {
        using SqliteConnection tills = new(source);
        tills.Open();
        while (true)
        {
            using SqliteTransaction transaction = tills.BeginTransaction(deferred: false);
            Volatile.Write(ref s_rounds, s_rounds + 1);
            Thread.Sleep(3_000);
            transaction.Commit();
        }
    }
}
