using Npgsql;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>Two visitors have the connections of a pool until their time is over; three others wait for one.</summary>
internal static class PoolLent
{
    private static readonly TimeSpan s_visit = TimeSpan.FromSeconds(90);

    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-postgres");
        await using NpgsqlDataSource source = NpgsqlDataSource.Create(
            $"Host=127.0.0.1;Port={port};Username=app;Database=visits;SSL Mode=Disable;Timeout=0;Maximum Pool Size=2;"
            + "Server Compatibility Mode=NoTypeLoading");
        Desk desk = new(source);
        Task[] visits = [.. Enumerable.Range(0, 5).Select(_ => desk.VisitAsync())];
        Ready.WhenStill(() => desk.Inside == 2 && desk.Asked == visits.Length);
        await Task.WhenAll(visits);
    }

    private sealed class Desk(NpgsqlDataSource source)
    {
        private int _asked;
        private int _inside;

        public int Asked => Volatile.Read(ref _asked);

        public int Inside => Volatile.Read(ref _inside);

        public async Task VisitAsync()
        {
            Interlocked.Increment(ref _asked);
            NpgsqlConnection connection = await source.OpenConnectionAsync();
            Interlocked.Increment(ref _inside);
            await Task.Delay(s_visit);
            await connection.CloseAsync();
            Interlocked.Decrement(ref _inside);
        }
    }
}
