using Dapper;
using Npgsql;
using Truth.Children;

namespace Truth.Hung;

/// <summary>A query of the first thread, without a timeout, to a PostgreSQL that does not answer it.</summary>
internal static class NpgsqlSilentServer
{
    public static void Run()
    {
        int port = Child.StartServer("child-postgres");
        using NpgsqlConnection connection = new($"Host=127.0.0.1;Port={port};Username=app;Database=shop;SSL Mode=Disable;Timeout=0;Command Timeout=0;Server Compatibility Mode=NoTypeLoading");
        connection.Open();
        Ready.WhenAtRest(() => connection.FullState.HasFlag(System.Data.ConnectionState.Executing), Thread.CurrentThread);
        Console.WriteLine(new OrderReport(connection).CountOpen());
    }

    private sealed class OrderReport(NpgsqlConnection connection)
    {
        public int CountOpen() => connection.ExecuteScalar<int>("select count(*) from orders where not shipped", commandTimeout: 0);
    }
}
