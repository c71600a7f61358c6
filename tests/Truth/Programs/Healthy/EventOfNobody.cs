using System.Net;
using System.Net.Sockets;

namespace Truth.Healthy;

/// <summary>A server that accepts; Main keeps the process alive by an event that nobody sets.</summary>
internal static class EventOfNobody
{
    public static void Run()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = ServeAsync(listener);
        Ready.WhenAtRest(() => !serving.IsCompleted, Thread.CurrentThread);
        new ManualResetEvent(false).WaitOne();
    }

    private static async Task ServeAsync(TcpListener listener)
    {
        while (true)
        {
            using TcpClient client = await listener.AcceptTcpClientAsync();
        }
    }
}
