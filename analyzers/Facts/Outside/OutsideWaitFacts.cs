using System.Text.Json.Serialization;

namespace HangTriage.Facts;

/// <summary>A thread in a call that waits for something outside the process, and what is known of the other side. No contents.</summary>
public sealed record OutsideWaitFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The method of .NET that waits: "System.Net.Sockets.Socket.Receive".</summary>
    public required string Call { get; init; }

    /// <summary>Null for a call that uses no socket of the network.</summary>
    public Known<SocketFacts>? Socket { get; init; }

    /// <summary>The socket; null where there is none, or it is a gap.</summary>
    public SocketFacts? FindSocket() => Socket is { } known && known.TryGet(out SocketFacts? socket) ? socket : null;

    /// <summary>Null for a call that waits for no child.</summary>
    public Known<ChildFacts>? Child { get; init; }

    /// <summary>The program's code comes back to the call again and again. It is looked for where the call reads a pipe; null elsewhere, and where it was not found out.</summary>
    public bool? IsInLoop { get; init; }

    /// <summary>When the call gives up by itself, as the client's own object says; <see cref="Timeout.InfiniteTimeSpan"/> for never. Null where none is known.</summary>
    public TimeSpan? Limit { get; init; }

    /// <summary>
    /// For the lock of a database: another thread of the process, which works with a transaction that is open in the same one.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ThreadId? Holder { get; init; }

    /// <summary>It waits without end for the transaction of <see cref="Holder"/>.</summary>
    public bool WaitsForTransaction() => Holder is not null && Limit is { } limit && WaitLimit.IsEndless(limit);

    /// <summary>For the lock of a database: the process has a transaction open in the same one, and no thread works with it.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsLeftOpen { get; init; }

    /// <summary>
    /// For the lock of a database: the process has no transaction open in it, but has had some, and has other connections to it.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsSharedHere { get; init; }

    /// <summary>Where it was seen: "stack root of System.Net.Sockets.Socket.Receive".</summary>
    public required string Source { get; init; }
}
