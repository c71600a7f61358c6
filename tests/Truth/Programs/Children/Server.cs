using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Truth.Children;

/// <summary>Listens, tells the port in a file, and has each connection served by a thread.</summary>
internal static class Server
{
    public static void Run(string file, Action<Socket> serve)
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(64);
        Child.Say(file, ((IPEndPoint)listener.LocalEndPoint!).Port.ToString(CultureInfo.InvariantCulture));
        while (true)
        {
            Socket connection = listener.Accept();
            new Thread(() => Serve(connection, serve)) { IsBackground = true }.Start();
        }
    }

    private static void Serve(Socket connection, Action<Socket> serve)
    {
        try
        {
            serve(connection);
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            connection.Dispose();
        }
    }
}
