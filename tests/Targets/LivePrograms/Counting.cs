using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace LivePrograms;

/// <summary>
/// Checks its own progress: threads that add, a lock that is handed around, a timer, a conversation over a socket. Prints a
/// line each 100 ms with what it has done, and ends with 1 where anything is lost or stands still.
/// </summary>
internal static class Counting
{
    private const int Adders = 4;
    private const int Silence = 100;

    private static readonly object s_gate = new();
    private static readonly long[] s_counts = new long[Adders];
    private static long s_underLock;
    private static long s_ticks;
    private static long s_messages;
    private static volatile string? s_fault;

    public static int Run(bool isAllocating)
    {
        for (int i = 0; i < Adders; i++)
        {
            int own = i;
            Start(() => Add(own, isAllocating));
        }

        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Start(() => Answer(listener));
        Start(() => Ask((IPEndPoint)listener.LocalEndpoint));
        using Timer timer = new(_ => Interlocked.Increment(ref s_ticks), null, 10, 10);
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        return Watch();
    }

    private static int Watch()
    {
        (long Added, long Ticks, long Messages) last = default;
        int still = 0;
        while (s_fault is null)
        {
            Thread.Sleep(Silence);
            (long Added, long Ticks, long Messages) now = (s_counts.Sum(), Interlocked.Read(ref s_ticks), Interlocked.Read(ref s_messages));
            lock (s_gate)
            {
                s_fault ??= s_underLock > s_counts.Sum() ? "the counts of the threads and the one under their lock differ" : null;
            }

            still = now.Added > last.Added && now.Ticks > last.Ticks && now.Messages > last.Messages ? 0 : still + 1;
            s_fault ??= still > 100 ? "it stood still for 10 s" : null;
            last = now;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{now.Added} {now.Ticks} {now.Messages}"));
        }

        Console.WriteLine($"LOST {s_fault}");
        return 1;
    }

    private static void Add(int own, bool isAllocating)
    {
        List<byte[]> kept = [];
        for (long i = 0; ; i++)
        {
            lock (s_gate)
            {
                s_counts[own]++;
                s_underLock++;
            }

            if (isAllocating)
            {
                kept.Add(new byte[1_024]);
                if (kept.Count == 2_000)
                {
                    kept.Clear();
                }
            }
            else if (i % 100 == 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    private static void Answer(TcpListener listener)
    {
        using TcpClient client = listener.AcceptTcpClient();
        NetworkStream stream = client.GetStream();
        byte[] message = new byte[sizeof(long)];
        while (true)
        {
            stream.ReadExactly(message);
            stream.Write(message);
        }
    }

    private static void Ask(IPEndPoint server)
    {
        using TcpClient client = new();
        client.Connect(server);
        NetworkStream stream = client.GetStream();
        byte[] message = new byte[sizeof(long)];
        for (long i = 0; ; i++)
        {
            BitConverter.TryWriteBytes(message, i);
            stream.Write(message);
            stream.ReadExactly(message);
            if (BitConverter.ToInt64(message) != i)
            {
                s_fault = "an answer is not that to its question";
            }

            Interlocked.Increment(ref s_messages);
            if (i % 10 == 0)
            {
                Thread.Sleep(1);
            }
        }
    }

    private static void Start(Action run)
    {
        Thread thread = new(() =>
        {
            try
            {
                run();
            }
            catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
            {
                s_fault = $"{e.GetType().Name}: {e.Message}";
            }
        })
        { IsBackground = true };
        thread.Start();
    }
}
