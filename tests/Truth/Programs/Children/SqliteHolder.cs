using Microsoft.Data.Sqlite;

namespace Truth.Children;

/// <summary>Opens a transaction that writes, and leaves it open.</summary>
internal static class SqliteHolder
{
    /// <param name="args">The database, and the file that says that it is locked.</param>
    public static void Run(string[] args)
    {
        using SqliteConnection connection = new($"Data Source={args[0]};Pooling=False");
        connection.Open();
        using SqliteTransaction transaction = connection.BeginTransaction();
        using SqliteCommand command = connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = "insert into Orders (Customer) values ('batch')";
        command.ExecuteNonQuery();
        Child.Say(args[1], "locked");
        Thread.Sleep(Timeout.Infinite);
    }
}
