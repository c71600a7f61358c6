using System.Net;
using System.Net.Sockets;

namespace OutsideServer;

/// <summary>Asks a server for prices over TCP.</summary>
internal sealed class PriceClient(EndPoint server)
{
    public int Fetch(byte article)
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(server);
        socket.Send([article]);
        byte[] answer = new byte[sizeof(int)];
        socket.Receive(answer);
        return BitConverter.ToInt32(answer);
    }
}
