using System.Net;
using System.Net.Sockets;

namespace Truth.Healthy;

/// <summary>
/// The first caller reads a table from a slow feed while it has the one entry of the cache, and gives up where a row takes 20 seconds;
/// four others wait for the entry. A row comes each second.
/// </summary>
internal static class TableUnderSemaphore
{
    private const int Rows = 400;

    private static readonly SemaphoreSlim s_entry = new(1, 1);
    private static readonly List<string> s_table = [];
    private static int s_waiting;

    public static void Run()
    {
        TcpListener feed = new(IPAddress.Loopback, 0);
        feed.Start();
        _ = SendAsync(feed);
        int port = ((IPEndPoint)feed.LocalEndpoint).Port;
        Thread[] callers = [.. Enumerable.Range(0, 5).Select(number => new Thread(() => Find(number, port)) { Name = $"caller {number}" })];
        Array.ForEach(callers, caller => caller.Start());
        Ready.When(() => Volatile.Read(ref s_waiting) == callers.Length
            && Array.TrueForAll(callers, caller => (caller.ThreadState & ThreadState.WaitSleepJoin) != 0 || s_table.Count > 0));
        Array.ForEach(callers, caller => caller.Join());
    }

    private static void Find(int number, int port)
    {
        Interlocked.Increment(ref s_waiting);
        s_entry.Wait();
        try
        {
            if (s_table.Count == 0)
            {
                Load(port);
            }

            Console.WriteLine($"{number}: {s_table[number]}");
        }
        finally
        {
            s_entry.Release();
        }
    }

    private static void Load(int port)
    {
        using TcpClient client = new("127.0.0.1", port) { ReceiveTimeout = 20_000 };
        using StreamReader rows = new(client.GetStream());
        while (rows.ReadLine() is { } row)
        {
            s_table.Add(row);
        }
    }

    private static async Task SendAsync(TcpListener feed)
    {
        using TcpClient client = await feed.AcceptTcpClientAsync();
        await using StreamWriter writer = new(client.GetStream()) { AutoFlush = true };
        using PeriodicTimer pace = new(TimeSpan.FromSeconds(1));
        for (int row = 0; row < Rows && await pace.WaitForNextTickAsync(); row++)
        {
            await writer.WriteLineAsync($"row {row}");
        }
    }
}
