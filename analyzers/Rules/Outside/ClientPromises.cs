using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Outside;

/// <summary>
/// Promises that Main awaits once, and that the other side of a connection has to keep. The method that waits has no socket; another one of
/// its library reads from the connection, or a thread that leads to the promise does.
/// </summary>
/// <param name="context">The facts.</param>
/// <param name="requests">The threads that wait for somebody outside.</param>
internal sealed class ClientPromises(RuleContext context, Lazy<IReadOnlyList<OutsideRequest>> requests)
{
    private const string Vendor = "Microsoft.";

    /// <summary>Null where the method does not wait for such an answer, or no connection is seen.</summary>
    public AsyncRequest? Of(FlowGroup group)
        => !context.Flows.IsQuestion(group) || group.Waits.IsLimited() || IdleFlow.Is(context, group) ? null
            : BroughtBy(group.Waits.Reach) is { } socket ? new AsyncRequest(group, socket)
            : LibraryOf(group) is { } library ? OfLibrary(group, library)
            : null;

    private AsyncRequest? OfLibrary(FlowGroup group, string library)
        => Sockets(library).FirstOrDefault(socket => socket.Peer is not null && !context.Flows.Server.AnswersInTime(socket)) is { } connection ? new AsyncRequest(group, connection)
            : context.Children is [var child] && Sockets(library).Any(socket => socket.Peer is null) ? new AsyncRequest(group, null) { Child = child }
            : null;

    // Of a library that is not known as a client, the source lines of the program tell that it is none of its own code.
    private string? LibraryOf(FlowGroup group)
        => OutsideCall.ClientOf(group.Method)
            ?? (context.Flows.IsOfLibrary(group) ? FirstParts(group.Method) : null);

    // As "Npgsql." and "Microsoft.AspNetCore.".
    private static string? FirstParts(string method)
    {
        int start = method.StartsWith(Vendor, StringComparison.Ordinal) ? Vendor.Length : 0;
        return method.IndexOf('.', start) is > 0 and int end ? method[..(end + 1)] : null;
    }

    private SocketFacts? BroughtBy(WaitReach? reach)
        => reach is { By: FlowRoot.Thread, Thread: { } thread }
            ? requests.Value.FirstOrDefault(request => request.Thread.Thread.OsId == thread && request is { Awaits: not OutsideWait.Idle, HasTimeout: not true, IsToItself: false })?.Socket
            : null;

    /// <summary>Those that the library reads from: connections, which have another side, and pipes, which do not say which.</summary>
    private IEnumerable<SocketFacts> Sockets(string library)
        => context.Flows.Groups
            .Where(group => group.AwaitedBy.Prepend(group.Method).Any(method => IsOf(method, library)))
            .Select(group => group.Waits.Socket)
            .Concat(requests.Value.Where(request => request.Thread.Thread.Stack.Frames.Any(frame => IsOf(frame.Method, library))).Select(request => request.Socket))
            .OfType<SocketFacts>()
            .Where(socket => socket is { IsAccepted: false, IsListening: false });

    private static bool IsOf(string? method, string library) => method?.StartsWith(library, StringComparison.Ordinal) == true;
}
