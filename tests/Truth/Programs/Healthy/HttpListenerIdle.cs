using System.Net;
using System.Net.Sockets;

namespace Truth.Healthy;

/// <summary>HttpListener's GetContext on the first thread, between two requests.</summary>
internal static class HttpListenerIdle
{
    private static int s_answered;

    public static void Run()
    {
        string prefix = $"http://127.0.0.1:{FreePort()}/";
        using HttpListener listener = new();
        listener.Prefixes.Add(prefix);
        listener.Start();
        Children.Child.Start("child-clients", prefix, "first", "others", "2");
        Ready.WhenStill(() => Volatile.Read(ref s_answered) == 3);
        while (true)
        {
            HttpListenerContext context = listener.GetContext();
            context.Response.Close("ok"u8.ToArray(), willBlock: true);
            Interlocked.Increment(ref s_answered);
        }
    }

    private static int FreePort()
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
