namespace HangTriage.Facts;

/// <summary>What a socket is to do: System.Net.Sockets.SocketAsyncOperation.</summary>
public enum SocketOperation
{
    Accept = 1,
    Connect = 2,
    Disconnect = 3,
    Receive = 4,
    ReceiveFrom = 5,
    ReceiveMessageFrom = 6,
    Send = 7,
    SendPackets = 8,
    SendTo = 9,
}
