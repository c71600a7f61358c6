using System.Net;
using System.Net.Sockets;

namespace Truth.Healthy;

/// <summary>The first thread accepts connections; a thread for each, named after it, reads from a client that says nothing now.</summary>
internal static class AcceptLoop
{
    private static int s_greeted;

    public static void Run()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Children.Child.Start("child-clients", $"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}", "/first", "/others", "2");
        Ready.WhenStill(() => Volatile.Read(ref s_greeted) == 3);
        while (true)
        {
            TcpClient client = listener.AcceptTcpClient();
            new Thread(() => Serve(client)) { Name = "session", IsBackground = true }.Start();
        }
    }

    private static void Serve(TcpClient client)
    {
        using NetworkStream stream = client.GetStream();
        using StreamReader reader = new(stream);
        while (reader.ReadLine() is { } line)
        {
            if (line.Length == 0)
            {
                stream.Write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"u8);
                Interlocked.Increment(ref s_greeted);
            }
        }
    }
}
