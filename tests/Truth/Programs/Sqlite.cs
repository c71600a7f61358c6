using Microsoft.Data.Sqlite;

namespace Truth;

/// <summary>What programs with a SQLite database share.</summary>
internal static class Sqlite
{
    public static void Execute(SqliteConnection connection, string text)
    {
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = text;
        command.ExecuteNonQuery();
    }
}
