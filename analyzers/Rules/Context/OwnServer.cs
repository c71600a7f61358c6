using System.Globalization;
using System.Net;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The addresses at which the process itself takes connections.</summary>
internal sealed class OwnServer(RuleContext context)
{
    private const string Kestrel = "Microsoft.AspNetCore.Server.Kestrel.";

    // Calls the methods of hubs.
    private const string Hubs = "Microsoft.AspNetCore.SignalR.Internal.DefaultHubDispatcher";

    // What is waited for where fewer requests are to be worked on at once.
    private const string Limits = "System.Threading.RateLimiting.";

    // Waits until fewer requests are worked on.
    private const string Limiter = "Microsoft.AspNetCore.RateLimiting.RateLimitingMiddleware.TryAcquireAsync";

    private readonly string[] _listens =
    [
        .. context.Flows.Groups.Select(group => group.Waits.Socket)
            .Concat(SocketsOfThreads(context))
            .Select(socket => TextOf(socket?.Listens))
            .OfType<string>()
            .Concat(context.Managed?.Listens ?? [])
            .Distinct(StringComparer.Ordinal),
    ];

    // The port that the system is to choose.
    private const string OfSystem = "0";

    private readonly FlowGroup[] _handlers = Outermost([.. context.Flows.Groups.Where(IsInHandler)]);
    private IReadOnlyList<FlowGroup>? _asking;
    private IReadOnlyList<ThreadId>? _answering;
    private bool? _areTimed;
    private bool? _areServed;
    private bool _isAsked;

    private bool AreTimed => _areTimed ??= _handlers.Length > 0 && _handlers.All(handler => EndsInTime(context, handler));

    // Each request has a handler, and those that do not end in time themselves ask the process for another one that does.
    private bool AreServed => _areServed ??= (Answering.Count > 0 || _handlers.Any(handler => EndsInTime(context, handler)))
        && _handlers.All(handler => EndsInTime(context, handler) || GetsEntry(handler) || WaitsForRequest(handler))
        && AreAllHandled;

    // None of the requests to the process itself is on its way.
    private bool AreAllHandled => _handlers.Sum(handler => handler.Count) + Answering.Count >= Asking.Sum(group => group.Count);

    /// <summary>Async methods that wait for an answer of the process itself; of a client's own, those of who has called it.</summary>
    public IReadOnlyList<FlowGroup> Asking => _asking ??= Outermost([.. context.Flows.Groups.Where(group => IsPeerOf(group.Waits.Socket))]);

    /// <summary>The first of these, as a method of the program where one awaits it.</summary>
    public FlowGroup? Asker => Asking.Count > 0 ? OfProgram(Asking[0]) : null;

    /// <summary>
    /// Threads that run the code of a request which async methods of the process wait for: of these are more than of requests that have been
    /// begun and wait themselves.
    /// </summary>
    public IReadOnlyList<ThreadId> Answering => _answering ??=
        Asking.Sum(group => group.Count) > _handlers.Sum(handler => handler.Count)
            ? [.. context.Threads.Where(IsAnswering).Select(thread => thread.Thread.OsId)]
            : [];

    /// <summary>The other side of the socket is the process itself.</summary>
    public bool IsPeerOf(SocketFacts? socket) => TextOf(socket?.Peer) is { } peer && Array.Exists(_listens, own => IsSame(own, peer));

    /// <summary>
    /// Every connection that an async method of a client waits on goes to the process itself, whose requests are among what the pool has
    /// queued: no answer comes before a worker takes them.
    /// </summary>
    public bool IsOnlyPeer(PoolFacts pool)
    {
        SocketFacts[] clients =
        [
            .. context.Flows.Groups.Select(group => group.Waits.Socket)
                .OfType<SocketFacts>()
                .Where(socket => !socket.IsAccepted && !socket.IsListening),
        ];
        return clients.Length > 0 && Array.TrueForAll(clients, IsPeerOf)
            && pool.Items?.Any(IsOfServer) == true;
    }

    // A request, a connection that has just been accepted, or what has come on one.
    private static bool IsOfServer(PoolItems item)
        => (item.Method is { } method && KestrelCalls.IsRequest(method))
            || item.Type.StartsWith(Kestrel, StringComparison.Ordinal);

    /// <summary>
    /// The process itself answers, and each request that it works on waits for a timer, for work that is queued or under way, or for an
    /// entry that one which does has taken: the answer comes. Of connections that async methods of its own serve as many do so as are waited for.
    /// </summary>
    public bool AnswersInTime(SocketFacts? socket)
    {
        // Whether a handler ends can be a matter of who has a lock, and that one of whether he is answered: who asks round is not told.
        if (_isAsked || !IsPeerOf(socket))
        {
            return false;
        }

        _isAsked = true;
        try
        {
            return AreTimed || AreServed || (PlaceOf(socket) is { } place && IsServed(place));
        }
        finally
        {
            _isAsked = false;
        }
    }

    /// <summary>
    /// Every request that the process works on waits for another one that it works on: it asks itself, or waits until its own limit of
    /// requests at once lets it in.
    /// </summary>
    public bool WaitsForItself
        => _handlers.All(WaitsForRequest) && _handlers.Any(handler => IsPeerOf(handler.Waits.Socket)) && AreAllHandled;

    private bool WaitsForRequest(FlowGroup handler)
        => IsPeerOf(handler.Waits.Socket)
            || WaitsForConnection(handler)
            || WaitsForEntry(handler)
            || (!handler.Waits.IsLimited() && handler.AwaitedBy.Any(method => method.StartsWith(Limiter, StringComparison.Ordinal)));

    // Those that have the entries of a lock or limit wait for requests themselves.
    private bool WaitsForEntry(FlowGroup handler)
        => Inside(handler) is { Count: > 0 } holders
            && holders.All(holder => IsPeerOf(holder.Waits.Socket) || WaitsForConnection(holder));

    // One of those that have them gives it back in time.
    private bool GetsEntry(FlowGroup handler) => Inside(handler).Any(holder => EndsInTime(context, holder));

    // The requests that have an entry which this one waits for: they are past that place.
    private IReadOnlyList<FlowGroup> Inside(FlowGroup handler)
        => IsEntry(handler.Waits) && !handler.Waits.IsLimited()
            ? [.. context.Flows.PastTheWait(handler).Where(_handlers.Contains)]
            : [];

    private static bool IsEntry(FlowWait wait)
        => wait is { Kind: FlowWaitKind.Semaphore, Entries.Left: 0 } || wait.Type?.Contains(Limits, StringComparison.Ordinal) == true;

    // A client's connections are all in use, and all of those wait for answers of the process itself.
    private bool WaitsForConnection(FlowGroup handler)
        => handler.Waits is { Kind: not FlowWaitKind.InputOutput, Pool: { } pool } && pool.Used >= pool.Most
            && context.Flows.Groups
                .Where(group => group.Waits is { Kind: FlowWaitKind.InputOutput, Socket: not null } && group.Waits.Pool == pool)
                .ToArray() is { Length: > 0 } users
            && users.All(user => IsPeerOf(user.Waits.Socket));

    private bool IsAnswering(ThreadAssessment thread)
        => thread.State == ThreadActivity.Running
            && !context.Polls.IsStuck(thread.Thread.OsId)
            && thread.Thread.Stack.Frames.Any(frame => frame.Method is { } method && KestrelCalls.IsRequestFrame(method));

    private bool IsServed(string place) => Serving(place) is > 0 and var serving && serving >= Waiting(place);

    // Async methods and threads that have a connection which was accepted there, and will continue.
    private int Serving(string place)
        => context.Flows.Groups
                .Where(group => group is { State: FlowState.Suspended, AcceptedAt: { } text } && IsAt(place, text) && Continues(group))
                .Sum(group => group.Count)
            + (context.Managed?.Serving ?? [])
                .Count(thread => IsAt(place, thread.AcceptedAt) && Workers.IsAwake(context, thread.Thread));

    private static bool IsAt(string place, string accepted) => PlaceOf(accepted) is var at && (at == place || at == OfSystem);

    private bool Continues(FlowGroup handler)
        => handler.Waits.Kind == FlowWaitKind.AsyncMethod
            ? context.Flows.Groups.Any(inner => inner.Waits.Kind != FlowWaitKind.AsyncMethod
                && inner.AwaitedBy.Contains(handler.Method) && EndsInTime(context, inner))
            : EndsInTime(context, handler);

    // Clients in the process that wait for an answer from there.
    private int Waiting(string place)
        => Outermost([.. context.Flows.Groups.Where(group => PlaceOf(group.Waits.Socket) == place)]).Sum(group => group.Count)
            + SocketsOfThreads(context).Count(socket => PlaceOf(socket) == place);

    // What threads wait for outside the process.
    private static IEnumerable<SocketFacts?> SocketsOfThreads(RuleContext context)
        => context.Managed?.Outside is { } outside && outside.TryGet(out IReadOnlyList<OutsideWaitFacts>? waits)
            ? waits.Select(wait => wait.FindSocket())
            : [];

    private static string? PlaceOf(SocketFacts? socket)
        => socket is { IsAccepted: false } && TextOf(socket.Peer) is { } peer ? PlaceOf(peer) : null;

    // A port, or a path.
    private static string? PlaceOf(string text)
        => AddressOf(text) is { } address ? address.Port.ToString(CultureInfo.InvariantCulture)
            : text.StartsWith(SocketFacts.Unix, StringComparison.Ordinal) ? text
            : null;

    /// <summary>
    /// What most of the requests that it works on wait for in the program's own code, and is not known to end; where they wait for each
    /// other, who asks the process itself. Null where there is none.
    /// </summary>
    public FlowGroup? SlowHandler
        => _handlers
            .Where(group => !Frameworks.IsOwn(group.Method) && !EndsInTime(context, group))
            .OrderByDescending(group => WaitsForItself && IsPeerOf(group.Waits.Socket))
            .ThenByDescending(group => group.Count)
            .Select(OfProgram)
            .FirstOrDefault()
            ?? (WaitsForItself ? _handlers.Where(handler => IsPeerOf(handler.Waits.Socket)).Select(OfProgram).FirstOrDefault() : null);

    /// <summary>
    /// An async method that has a connection which was accepted at the other side of the socket, in this process; null where none is seen.
    /// </summary>
    public FlowGroup? OtherEnd(SocketFacts? socket)
        => IsPeerOf(socket) && PlaceOf(socket) is { } place
            ? context.Flows.Groups
                .Where(group => group is { State: FlowState.Suspended, AcceptedAt: { } text } && PlaceOf(text) == place)
                .Select(OfProgram)
                .FirstOrDefault()
            : null;

    // The program's method that awaits one of .NET's, or of a library's, stands for it.
    private FlowGroup OfProgram(FlowGroup handler)
        => handler.AwaitedBy.Prepend(handler.Method)
                .FirstOrDefault(method => !Frameworks.IsOwn(method) && !context.Flows.IsOfLibrary(method)) is { } own && own != handler.Method
            ? handler with { Method = own, Source = null } : handler;

    private static bool EndsInTime(RuleContext context, FlowGroup handler)
        => handler.Waits.IsLimited()
            || handler.Waits.Reach?.Signaller is not null
            || handler.Waits.Reach?.Movers?.Any(mover => HasInHand(context, mover)) == true
            || handler.Waits.Kind == FlowWaitKind.Queued
            || (handler.Waits is { Kind: FlowWaitKind.Task or FlowWaitKind.WhenAll, Address: { } task }
                && context.FindTask(task) is not null
                && context.Fates.Of(WaitNode.OfTask(task)) == Fate.Progresses)
            || (handler.Waits.Kind == FlowWaitKind.Semaphore && context.Flows.IsInOtherHands(handler));

    // Who works or pauses in the middle of what makes room, or gives, what the handler waits for.
    private static bool HasInHand(RuleContext context, ReachMover mover)
        => mover.HasInHand
            && (mover.Thread is { } thread ? Workers.IsAwake(context, thread)
                : context.Flows.Of(mover.Flow)?.ContinuesByItself() == true);

    private static bool IsInHandler(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Kind: not FlowWaitKind.AsyncMethod }
            && group.AwaitedBy.Any(method => KestrelCalls.IsRequest(method) || method.StartsWith(Hubs, StringComparison.Ordinal));

    // What a client does inside is the wait of who has called it.
    private static FlowGroup[] Outermost(FlowGroup[] all)
        => [.. all.Where(group => !Frameworks.IsOwn(group.Method)
            || !all.Any(other => other != group && group.AwaitedBy.Contains(other.Method)))];

    private static bool IsSame(string own, string peer)
        => AddressOf(own) is { } listens && AddressOf(peer) is { } asks
            ? listens.Port == asks.Port
                && (listens.Address.Equals(asks.Address) || (IsAny(listens.Address) && IPAddress.IsLoopback(asks.Address)))
            : own == peer && own.StartsWith(SocketFacts.Unix, StringComparison.Ordinal);

    private static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    private static string? TextOf(Known<string>? known) => known is not null && known.TryGet(out string? text) ? text : null;

    private static IPEndPoint? AddressOf(string text) => IPEndPoint.TryParse(text, out IPEndPoint? address) ? address : null;
}
