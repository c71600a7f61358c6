using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;

namespace Truth.Children;

/// <summary>As much of PostgreSQL as lets a client log in. It reads queries and does not answer them.</summary>
internal static class PostgresServer
{
    private const int SslRequest = 80877103;
    private const int GssRequest = 80877104;

    public static void Run(string[] args) => Server.Run(args[0], connection =>
    {
        using NetworkStream stream = new(connection);
        while (Read(stream) is int code and (SslRequest or GssRequest))
        {
            stream.WriteByte((byte)'N');
        }

        stream.Write(Message('R', new byte[4]));
        stream.Write(Message('S', "server_version\0" + "16.4\0"));
        stream.Write(Message('S', "client_encoding\0UTF8\0"));
        stream.Write(Message('S', "standard_conforming_strings\0on\0"));
        stream.Write(Message('S', "integer_datetimes\0on\0"));
        stream.Write(Message('K', new byte[8]));
        stream.Write(Message('Z', "I"));
        byte[] buffer = new byte[4096];
        while (stream.Read(buffer) > 0)
        {
        }
    });

    // A start-up message: its length, its code, and what follows.
    private static int Read(NetworkStream stream)
    {
        byte[] head = new byte[8];
        stream.ReadExactly(head);
        stream.ReadExactly(new byte[BinaryPrimitives.ReadInt32BigEndian(head) - head.Length]);
        return BinaryPrimitives.ReadInt32BigEndian(head.AsSpan(4));
    }

    private static byte[] Message(char type, string text) => Message(type, Encoding.ASCII.GetBytes(text));

    private static byte[] Message(char type, byte[] body)
    {
        byte[] message = new byte[5 + body.Length];
        message[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(1), 4 + body.Length);
        body.CopyTo(message, 5);
        return message;
    }
}
