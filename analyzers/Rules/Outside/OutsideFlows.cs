using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Outside;

/// <summary>The async methods that wait for somebody outside who owes them something, and which of them others depend on.</summary>
internal sealed class OutsideFlows(RuleContext context)
{
    private readonly IReadOnlyList<QueueReaderFacts> _readers = context.Managed?.QueueReaders is { } known && known.TryGet(out IReadOnlyList<QueueReaderFacts>? readers) ? readers : [];

    private readonly Lazy<IReadOnlyList<OutsideRequest>> _ofThreads = new(() => [.. context.Threads.Select(thread => OutsideRequest.Of(context, thread)).OfType<OutsideRequest>()]);

    /// <summary>Somebody waits for room in a channel while a request is under way.</summary>
    public bool MayHideReader
        => context.Flows.Groups.Any(IsRequest) && context.Flows.Groups.Any(group => group.Waits is { Kind: FlowWaitKind.Channel, Queue.Waits: FlowQueueEnd.Writer });

    /// <summary>
    /// Those that a crowd of requests without a timeout is in, those whose one answer Main waits for, itself or through a promise of its
    /// client, and those that take from a full queue which Main waits to write to.
    /// </summary>
    public IEnumerable<AsyncRequest> Find()
    {
        ClientPromises promises = new(context, _ofThreads);
        foreach (AsyncRequest request in context.Flows.Groups.Select(promises.Of).OfType<AsyncRequest>())
        {
            yield return request;
        }

        foreach (FlowGroup group in context.Flows.Groups.Where(IsRequest))
        {
            IReadOnlyList<FlowGroup> behind = [.. WritersBehind(group).Where(context.Flows.IsForMain)];
            if (behind.Count > 0 || IsOneAnswer(group) || IsOfCrowd(group))
            {
                yield return new AsyncRequest(group, group.Waits.Socket) { Behind = behind };
            }
        }
    }

    // Read again and again it would be how a client idles. Where a thread's whole wait is for that answer, the thread is told of.
    private bool IsOneAnswer(FlowGroup group)
        => group is { IsInLoop: false, Waits.Socket.Peer: not null } && context.Flows.IsForMain(group) && !_ofThreads.Value.Any(request => request is { Method: not null, Awaits: not OutsideWait.Idle });

    private static bool IsOfProgram(string method) => !Frameworks.IsOwn(method);

    private bool IsRequest(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits: { Kind: FlowWaitKind.InputOutput, EndsByToken: false, Socket: null or { IsAccepted: false, IsListening: false } } }
            && !group.Waits.IsLimited()
            && IsOfProgram(group.Method)
            && !context.Flows.HasLimitOfOwn(group)
            && !context.Flows.Server.AnswersInTime(group.Waits.Socket)
            && !IdleFlow.Is(context, group);

    // The one client whose timeout is known to be none: else it would end the wait. The same requests can be caught at several places of it.
    private static bool HasNoLimit(FlowGroup group) => group.Waits.Via?.StartsWith("System.Net.Http.", StringComparison.Ordinal) == true;

    private bool IsOfCrowd(FlowGroup group)
        => HasNoLimit(group)
            && context.Flows.Groups.Where(other => other.Method == group.Method && IsRequest(other) && HasNoLimit(other)).Sum(other => other.Count) >= Thresholds.Crowd;

    // Those who wait for room in a queue that this method, or one that awaits it, takes from.
    private IEnumerable<FlowGroup> WritersBehind(FlowGroup group)
    {
        HashSet<Address> queues = [.. _readers.Where(reader => reader.Flow is not null && (reader.Flow == group.Sample || group.AwaitedBy.Contains(reader.Method))).Select(reader => reader.Queue)];
        return queues.Count == 0 ? []
            : context.Flows.Groups.Where(other => other.Waits is { Kind: FlowWaitKind.Channel, Queue.Waits: FlowQueueEnd.Writer, EndsByToken: false, Address: { } queue } && !other.Waits.IsLimited() && queues.Contains(queue));
    }
}
