using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>
/// Promises inside a client library that Main awaits once: what the other side of the library's connection has to bring. The method
/// that waits has no socket; another one of the library, or a thread of it, reads from the connection.
/// </summary>
/// <param name="context">The facts.</param>
/// <param name="requests">The threads that wait for somebody outside.</param>
internal sealed class ClientPromises(RuleContext context, Lazy<IReadOnlyList<OutsideRequest>> requests)
{
    // What such methods do for as long as a program lives.
    private static readonly string[] s_lasting = ["Run", "Listen", "Consume", "Subscribe", "Receive", "Process", "Poll", "Watch", "Keep", "WaitFor"];

    /// <summary>The connection from which the answer has to come; null where the method does not wait for one, or none is seen.</summary>
    public SocketFacts? ConnectionOf(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits: { Kind: FlowWaitKind.Task or FlowWaitKind.Custom, EndsByToken: false }, IsInLoop: false }
            && !group.Waits.IsLimited()
            && OutsideCall.ClientOf(group.Method) is { } client
            && group.AwaitedBy.Any(UserCode.IsMain)
            && !IdleFlow.Is(context, group)
            && !group.AwaitedBy.Prepend(group.Method).Where(OutsideCall.IsOfClient).Any(Lasts)
                ? Connections(client).FirstOrDefault(socket => !context.Flows.Server.AnswersInTime(socket))
                : null;

    private IEnumerable<SocketFacts> Connections(string client)
        => context.Flows.Groups
            .Where(group => group.AwaitedBy.Prepend(group.Method).Any(method => IsOf(method, client)))
            .Select(group => group.Waits.Socket)
            .Concat(requests.Value.Where(request => request.Thread.Thread.Stack.Frames.Any(frame => IsOf(frame.Method, client))).Select(request => request.Socket))
            .OfType<SocketFacts>()
            .Where(socket => socket is { IsAccepted: false, IsListening: false, Peer.HasValue: true });

    private static bool IsOf(string? method, string client) => method?.StartsWith(client, StringComparison.Ordinal) == true;

    private static bool Lasts(string method)
    {
        string name = MethodText.Short(method);
        string last = name[(name.LastIndexOf('.') + 1)..];
        return Array.Exists(s_lasting, verb => last.StartsWith(verb, StringComparison.Ordinal));
    }
}
