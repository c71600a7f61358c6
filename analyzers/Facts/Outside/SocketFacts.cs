using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>A socket, by its object: never what it carries.</summary>
public sealed record SocketFacts
{
    /// <summary>The address of a socket of this machine, or of a named pipe on Unix, is this and its path.</summary>
    public const string Unix = "unix:";

    /// <summary>
    /// The other side, as "10.0.0.7:5432", "[::1]:80" or "unix:/tmp/orders"; a gap where it is none of these. Null where the socket is
    /// neither connected nor connecting, or its other side has no name.
    /// </summary>
    public Known<string>? Peer { get; init; }

    /// <summary>The process accepted the connection: the other side is its client.</summary>
    public required bool IsAccepted { get; init; }

    /// <summary>It takes connections.</summary>
    public required bool IsListening { get; init; }

    /// <summary>Where it takes connections, as "127.0.0.1:8080" or "[::]:80" for every address; null for a socket that takes none.</summary>
    public Known<string>? Listens { get; init; }

    /// <summary>The operation that is under way, where it was begun without blocking; null for others.</summary>
    public SocketOperation? Operation { get; init; }

    /// <summary>The object of the socket in memory; null where it was not recorded.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public Address? At { get; init; }

    /// <summary>When a read gives up by itself; <see cref="Timeout.InfiniteTimeSpan"/> for never. Null where the object does not say.</summary>
    public TimeSpan? ReceiveTimeout { get; init; }

    /// <summary>The same of a write.</summary>
    public TimeSpan? SendTimeout { get; init; }
}
