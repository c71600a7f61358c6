using System.Net;
using System.Net.Sockets;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>Main awaits message after message of a feed that has nothing to tell right now.</summary>
internal static class FeedReader
{
    public static async Task RunAsync()
    {
        using TcpClient client = new();
        await client.ConnectAsync(IPAddress.Loopback, Child.StartServer("child-silent"));
        Task reading = ReadAsync(client.GetStream());
        Ready.WhenStill(() => !reading.IsCompleted);
        await reading;
    }

    private static async Task ReadAsync(NetworkStream stream)
    {
        byte[] message = new byte[64];
        while (await stream.ReadAsync(message) is > 0 and int length)
        {
            Console.WriteLine(length);
        }
    }
}
