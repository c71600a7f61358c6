using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>What threads wait for outside the process.</content>
public sealed partial class SnapshotBuilder
{
    private const string Receive = "System.Net.Sockets.Socket.Receive";

    private readonly List<OutsideWaitFacts> _outside = [];
    private readonly List<ChildFacts> _children = [];

    private readonly List<string> _listens = [];
    private readonly List<UnsentFacts> _unsent = [];

    /// <summary>The process takes connections there.</summary>
    public SnapshotBuilder ListensAt(string address)
    {
        _hasManaged = true;
        _listens.Add(address);
        return this;
    }

    /// <summary>Something has been written to the socket, and is still in the buffer of a writer.</summary>
    public SnapshotBuilder HasUnsent(ulong socket, int count, string writer = "System.IO.StreamWriter")
    {
        _hasManaged = true;
        _unsent.Add(new UnsentFacts(new Address(socket), writer, count));
        return this;
    }

    /// <summary>A thread in a call of a socket.</summary>
    public SnapshotBuilder WaitsForPeer(uint thread, SocketFacts socket) => WaitsForOutside(thread, Receive, Known.Read(socket), null);

    /// <summary>A thread that waits for a child's end.</summary>
    public SnapshotBuilder WaitsForChild(uint thread, uint child, UnreadOutput unread = UnreadOutput.None, bool isInputOpen = false)
        => WaitsForOutside(thread, "System.Diagnostics.Process.WaitForExit", null, Known.Read(ChildOf(child, unread, isInputOpen)));

    /// <summary>A task that an operation of a socket completes.</summary>
    public SnapshotBuilder NeedsSocket(ulong task, SocketFacts socket)
    {
        Needs(task, TaskNeedKind.Io);
        TaskFacts facts = _tasks[new Address(task)];
        _tasks[facts.Address] = facts with { Needs = [.. facts.Needs.SkipLast(1), facts.Needs[^1] with { Socket = socket }] };
        return this;
    }

    /// <summary>A task that waits for the end of a child.</summary>
    public SnapshotBuilder WaitsAsyncForChild(ulong task, uint child, UnreadOutput unread, bool isInputOpen = false)
    {
        TaskFacts facts = _tasks[new Address(task)];
        _tasks[facts.Address] = facts with { Child = Known.Read(ChildOf(child, unread, isInputOpen)) };
        return this;
    }

    private static ChildFacts ChildOf(uint child, UnreadOutput unread, bool isInputOpen)
        => new() { Id = Known.Read(child), Unread = Known.Read(unread), IsInputOpen = isInputOpen };

    /// <summary>A process that this one has started and that has not ended.</summary>
    public SnapshotBuilder Child(ChildFacts child)
    {
        _hasManaged = true;
        _children.Add(child);
        return this;
    }

    /// <param name="peer">The other side; null for a gap.</param>
    /// <param name="timeout">When a read gives up by itself; null for never.</param>
    public static SocketFacts Socket(string? peer, TimeSpan? timeout = null) => new()
    {
        Peer = peer is null ? Known.Unknown<string>("address of the other side", "it is not in the input") : Known.Read(peer),
        IsAccepted = false,
        IsListening = false,
        ReceiveTimeout = timeout ?? Timeout.InfiniteTimeSpan,
        SendTimeout = Timeout.InfiniteTimeSpan,
    };

    /// <summary>A socket at which the process takes connections.</summary>
    public static SocketFacts Listener(string address) => Socket(null) with
    {
        Peer = null, IsListening = true, Listens = Known.Read(address), Operation = SocketOperation.Accept,
    };

    public SnapshotBuilder Outside(OutsideWaitFacts wait)
    {
        _hasManaged = true;
        _outside.Add(wait);
        return this;
    }

    private SnapshotBuilder WaitsForOutside(uint thread, string call, Known<SocketFacts>? socket, Known<ChildFacts>? child)
        => Outside(new OutsideWaitFacts { Thread = new ThreadId(thread), Call = call, Socket = socket, Child = child, Source = $"stack root of {call}" });
}
