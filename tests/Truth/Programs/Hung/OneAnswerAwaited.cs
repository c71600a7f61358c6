using System.Net;
using System.Net.Sockets;
using Truth.Children;

namespace Truth.Hung;

/// <summary>Main awaits the one greeting of a server that never sends it.</summary>
internal static class OneAnswerAwaited
{
    public static async Task RunAsync()
    {
        using TcpClient client = new();
        await client.ConnectAsync(IPAddress.Loopback, Child.StartServer("child-silent"));
        await client.GetStream().WriteAsync("HELLO\n"u8.ToArray());
        Task<int> greeting = GreetAsync(client.GetStream());
        Ready.WhenStill(() => !greeting.IsCompleted);
        Console.WriteLine(await greeting);
    }

    private static async Task<int> GreetAsync(NetworkStream stream)
    {
        byte[] buffer = new byte[64];
        int length = await stream.ReadAsync(buffer);
        return length;
    }
}
