using Npgsql;
using Truth.Children;

namespace Truth.Hung;

/// <summary>Both connections of an Npgsql pool were opened and never closed; six flows wait for one.</summary>
internal static class NpgsqlPoolLeak
{
    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-postgres");
        await using NpgsqlDataSource source = NpgsqlDataSource.Create(
            $"Host=127.0.0.1;Port={port};Username=app;Database=shop;SSL Mode=Disable;Timeout=0;Maximum Pool Size=2;Server Compatibility Mode=NoTypeLoading");
        SessionCache sessions = new(source);
        await sessions.RememberAsync("Ada");
        await sessions.RememberAsync("Bob");
        OrderRepository orders = new(source);
        Task<int>[] counts = [.. Enumerable.Range(0, 6).Select(orders.CountAsync)];
        Ready.WhenStill(() => orders.Asked == counts.Length);
        Console.WriteLine((await Task.WhenAll(counts)).Sum() + sessions.Count);
    }

    private sealed class SessionCache(NpgsqlDataSource source)
    {
        private readonly Dictionary<string, NpgsqlConnection> _open = [];

        public int Count => _open.Count;

        public async Task RememberAsync(string user) => _open[user] = await source.OpenConnectionAsync();
    }

    private sealed class OrderRepository(NpgsqlDataSource source)
    {
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public async Task<int> CountAsync(int customer)
        {
            Interlocked.Increment(ref _asked);
            await using NpgsqlConnection connection = await source.OpenConnectionAsync();
            await using NpgsqlCommand command = new("select count(*) from orders", connection);
            return customer + (int)(await command.ExecuteScalarAsync())!;
        }
    }
}
