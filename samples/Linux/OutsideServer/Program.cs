using System.Net;
using System.Net.Sockets;
using Samples;

namespace OutsideServer;

/// <summary>Main asks a server that takes connections and never answers. See README.md.</summary>
internal static class Program
{
    private static void Main()
    {
        Thread.CurrentThread.Name = "main";

        // The system completes connections to a socket that listens; nobody here ever accepts one.
        using Socket server = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();

        PriceClient client = new(server.LocalEndPoint!);
        KernelWait.ReadyWhenCallerWaits();
        Console.WriteLine(client.Fetch(7));
    }
}
