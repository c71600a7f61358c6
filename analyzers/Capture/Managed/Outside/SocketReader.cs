using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>Reads System.Net.Sockets.Socket, the same on .NET 8, 9 and 10 on every system: who is at the other end.</summary>
internal static class SocketReader
{
    public const string Type = "System.Net.Sockets.Socket";

    private const string Arguments = "System.Net.Sockets.SocketAsyncEventArgs";

    /// <summary>The socket, where the object is one or a stream over one; a null object for others.</summary>
    public static ClrObject In(ClrObject found)
        => StackObjects.Is(found, Type) ? found
            : StackObjects.Is(found, "System.Net.Sockets.NetworkStream") ? found.Reference("_streamSocket")
            : StackObjects.Is(found, "System.IO.Pipes.PipeStream") ? found.Reference("_handle").Reference("_pipeSocket")
            : default;

    /// <param name="socket">The socket.</param>
    /// <param name="connecting">Where it is connecting to, which it records only when it is connected; a null object where it is not.</param>
    public static SocketFacts Read(ClrObject socket, ClrObject connecting)
    {
        ClrObject remote = socket.Reference("_remoteEndPoint");
        ClrObject right = socket.Reference("_rightEndPoint");
        // Of a port that the system chose it tells, once somebody has asked.
        ClrObject local = socket.Reference("_localEndPoint");
        ClrObject handle = socket.Reference("_handle");
        ClrObject pending = socket.Reference("_pendingConnectRightEndPoint");
        // An accepted socket has its listener's address on the right. Bound to an address of its own, any has.
        Known<string>? other = EndPointReader.Read(remote);
        bool isListening = socket.IsTrue("_isListening");
        bool isConnected = socket.IsTrue("_isConnected");
        return new SocketFacts
        {
            At = new Address(socket.Address),
            Peer = !connecting.IsNull ? EndPointReader.Read(connecting)
                : !remote.IsNull ? other
                : isConnected ? EndPointReader.Read(right)
                : EndPointReader.Read(pending),
            IsAccepted = isConnected && !remote.IsNull && !right.IsNull
                && EndPointReader.Read(right)?.Is(name => other?.Is(peer => peer == name) == true) != true,
            IsListening = isListening,
            Listens = isListening ? EndPointReader.Read(local.IsNull ? right : local) : null,
            ReceiveTimeout = Milliseconds(handle, "_receiveTimeout"),
            SendTimeout = Milliseconds(handle, "_sendTimeout"),
        };
    }

    /// <summary>Where it takes connections; null for one that does not.</summary>
    public static Known<string>? ListensAt(ClrObject socket)
        => socket.IsTrue("_isListening") && socket.Number("_disposed") is null or 0 ? Read(socket, default).Listens : null;

    /// <summary>The address at which the process accepted the connection, its port 0 where the system chose that; null for any other socket.</summary>
    public static Known<string>? AcceptedAt(ClrObject socket)
        => Read(socket, default).IsAccepted ? EndPointReader.Read(socket.Reference("_rightEndPoint")) : null;

    /// <summary>Of an operation that was begun without blocking; null where the object is none, or does not know its socket.</summary>
    public static SocketFacts? ReadOperation(ClrObject arguments)
    {
        if (!StackObjects.Is(arguments, Arguments))
        {
            return null;
        }

        ClrObject owner = arguments.Reference("_currentSocket");
        ClrObject socket = owner.IsNull ? arguments.Reference("_owner") : owner;
        int? operation = arguments.Type!.GetFieldByName("_completedOperation")?.Read<int>(arguments.Address, interior: false);
        return socket.IsNull ? null : Read(socket, default) with
        {
            Operation = operation is { } number && Enum.IsDefined((SocketOperation)number) ? (SocketOperation)number : null,
        };
    }

    // Kept on Linux alone.
    private static TimeSpan? Milliseconds(ClrObject handle, string field)
        => handle.Number(field) is { } number ? number <= 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(number) : null;
}
