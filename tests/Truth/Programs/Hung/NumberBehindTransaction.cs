using System.Collections.Concurrent;
using Microsoft.Data.Sqlite;

namespace Truth.Hung;

/// <summary>Who posts an invoice waits in its transaction for a number, and who gives the numbers writes to the same file.</summary>
internal static class NumberBehindTransaction
{
    private static readonly ManualResetEventSlim s_asked = new();

    public static void Run()
    {
        string source = $"Data Source={Scratch.File("number")};Default Timeout=0;Pooling=False";
        using (SqliteConnection first = new(source))
        {
            first.Open();
            Sqlite.Execute(first, "CREATE TABLE invoice (number INTEGER)");
        }

        Numbers numbers = new(source);
        Thread giver = new(numbers.Run) { Name = "numbers", IsBackground = true };
        Thread poster = new(() => Post(source, numbers)) { Name = "poster" };
        giver.Start();
        poster.Start();
        Ready.When(() => s_asked.IsSet
            && Array.TrueForAll([giver, poster], thread => (thread.ThreadState & ThreadState.WaitSleepJoin) != 0));
        poster.Join();
    }

    private static void Post(string source, Numbers numbers)
    {
        using SqliteConnection invoices = new(source);
        invoices.Open();
        using SqliteTransaction transaction = invoices.BeginTransaction(deferred: false);
        int number = numbers.NextAsync().GetAwaiter().GetResult();
        Sqlite.Execute(invoices, $"INSERT INTO invoice VALUES ({number})");
        transaction.Commit();
    }

    private sealed class Numbers(string source)
    {
        private readonly BlockingCollection<TaskCompletionSource<int>> _asked = [];
        private int _last;

        public Task<int> NextAsync()
        {
            TaskCompletionSource<int> number = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _asked.Add(number);
            return number.Task;
        }

        public void Run()
        {
            foreach (TaskCompletionSource<int> number in _asked.GetConsumingEnumerable())
            {
                s_asked.Set();
                using SqliteConnection sequence = new(source);
                sequence.Open();
                Sqlite.Execute(sequence, "CREATE TABLE IF NOT EXISTS sequence (last INTEGER)");
                number.SetResult(++_last);
            }
        }
    }
}
