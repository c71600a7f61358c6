using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Samples;

namespace OutsideIdle;

/// <summary>Threads that wait for the outside as they should. See README.md.</summary>
internal static class Program
{
    private const string Child = "child";

    private static void Main(string[] arguments)
    {
        if (arguments is [Child])
        {
            // Until whoever started it has ended.
            Console.In.ReadToEnd();
            return;
        }

        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        Socket[] clients = [.. Enumerable.Range(0, 5).Select(_ => Connect(listener.LocalEndPoint!))];
        Waiter[] waiters =
        [
            new("acceptor", () => Accept(listener)),
            .. clients.Select((client, index) => new Waiter($"reader-{index + 1}", () => Read(client))),
            new("supervisor", Supervise),
            new("console", () => Console.ReadLine()),
        ];
        foreach (Waiter waiter in waiters)
        {
            KernelWait.Await(waiter.Start());
        }

        Stage.Ready();
    }

    private static Socket Connect(EndPoint server)
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(server);
        return socket;
    }

    // One thread for each client, as small servers have.
    private static void Accept(Socket listener)
    {
        while (true)
        {
            Socket accepted = listener.Accept();
            new Thread(() => Read(accepted)) { Name = "client", IsBackground = true }.Start();
        }
    }

    private static void Read(Socket socket)
    {
        byte[] message = new byte[256];
        while (socket.Receive(message) > 0)
        {
            Console.WriteLine(message.Length);
        }
    }

    private static void Supervise()
    {
        ProcessStartInfo start = new(Environment.ProcessPath!, Child) { RedirectStandardInput = true };
        using Process child = Process.Start(start)!;
        child.WaitForExit();
    }
}
