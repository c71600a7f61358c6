using Npgsql;
using Truth.Children;

namespace Truth.Hung;

/// <summary>
/// Whoever meets an account that is closed leaves without closing its connection. When all are gone, three posters wait for one, beside a
/// clock and a printer of totals that go on.
/// </summary>
internal static class PoolForgotten
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);

    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-postgres");
        await using NpgsqlDataSource source = NpgsqlDataSource.Create(
            $"Host=127.0.0.1;Port={port};Username=app;Database=ledger;SSL Mode=Disable;Timeout=0;Maximum Pool Size=2;"
            + "Server Compatibility Mode=NoTypeLoading");
        Poster poster = new(source);
        using Timer clock = new(_ => poster.Tick(), null, s_pause, s_pause);
        _ = PrintAsync(poster);
        Task[] posters = [.. Enumerable.Range(0, 3).Select(poster.RunAsync)];
        Ready.When(() => poster.Asked == 5 && poster.Posted == 2);
        await Task.WhenAll(posters);
    }

    private static async Task PrintAsync(Poster poster)
    {
        for (long last = 0; ; await Task.Delay(s_pause))
        {
            if (poster.Posted != last)
            {
                Console.WriteLine(last = poster.Posted);
            }
        }
    }

    private sealed class Poster(NpgsqlDataSource source)
    {
        private int _asked;
        private int _posted;
        private long _ticks;

        public int Asked => Volatile.Read(ref _asked);

        public int Posted => Volatile.Read(ref _posted);

        public void Tick() => Interlocked.Increment(ref _ticks);

        public async Task RunAsync(int account)
        {
            while (true)
            {
                await PostAsync(account++);
                await Task.Delay(s_pause);
            }
        }

        private async Task PostAsync(int account)
        {
            Interlocked.Increment(ref _asked);
            NpgsqlConnection connection = await source.OpenConnectionAsync();
            Interlocked.Increment(ref _posted);
            if (account >= 0)
            {
                return;
            }

            await connection.CloseAsync();
        }
    }
}
