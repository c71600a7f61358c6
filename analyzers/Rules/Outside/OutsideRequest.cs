using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>What a thread waits for outside the process: by the call that it is in, or by the task that it blocks on.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Row">What is known of the call.</param>
/// <param name="Frame">The frame that shows it.</param>
/// <param name="Caller">The program's own code that waits; null where there is none.</param>
/// <param name="Awaits">What the wait means, by the call and by the objects of it.</param>
internal sealed record OutsideRequest(ThreadAssessment Thread, KnownCall Row, FrameFacts Frame, FrameFacts? Caller, OutsideWait Awaits)
{
    /// <summary>The wait for what a child's redirected output still brings when the child has exited.</summary>
    public static readonly KnownCall RestOfOutput = OutsideCalls.Table.Find("System.Diagnostics.Process", "WaitForExit")! with
    {
        Outside = OutsideEnd.Pipe,
        Awaits = OutsideWait.Answer,
        Title = "the end of a child's output, though the child has exited: another process still has the pipe",
    };

    /// <summary>The async method of the program's that waits, where the compiler's Main is all that blocks; null elsewhere.</summary>
    public string? Method { get; init; }

    public SocketFacts? Socket { get; init; }

    /// <summary>Null where it waits for no child; a gap where which was not seen.</summary>
    public Known<ChildFacts>? KnownChild { get; init; }

    public ChildFacts? Child => KnownChild is { } known && known.TryGet(out ChildFacts? child) ? child : null;

    /// <summary>Where the facts of the other side were seen.</summary>
    public string Source { get; init; } = "stack";

    /// <summary>Whether it ends by itself; null where that is not known.</summary>
    public bool? HasTimeout { get; init; }

    /// <summary>For the lock of a database: the thread of this process that works with a transaction in it.</summary>
    public ThreadId? Holder { get; init; }

    /// <summary>For the lock of a database: this process has left a transaction in it open.</summary>
    public bool IsLeftOpen { get; init; }

    /// <summary>For the lock of a database: transactions of this process in it have come and gone, and none is open.</summary>
    public bool IsSharedHere { get; init; }

    /// <summary>Who of this process has what is waited for works or sleeps: it gives that back in time.</summary>
    public bool IsHeldInPassing { get; init; }

    /// <summary>The program reads again and again what a child of its writes, as supervisors do.</summary>
    public bool IsInLoop { get; init; }

    /// <summary>
    /// The child has exited, and the rest of its output is waited for: who has inherited its end of the pipe keeps that open.
    /// </summary>
    public bool IsPastExit => Row == RestOfOutput;

    /// <summary>As "10.0.0.7:5432"; null where it is not known.</summary>
    public string? Peer => Socket?.Peer is { } peer && peer.TryGet(out string? name) ? name : null;

    /// <summary>The other side is this process itself.</summary>
    public bool IsToItself { get; init; }

    /// <summary>Some of the child's output was redirected, and nobody reads it.</summary>
    public bool IsUnread => Child?.Unread.Is(unread => unread != UnreadOutput.None) == true;

    /// <summary>Requests that are told of together: the same call of the same code to the same peer.</summary>
    public (string Call, string? Caller, string? Peer, uint? Child) Key
        => (Frame.Method!, Method ?? Caller?.Method, Peer, Child?.Id is { } id && id.TryGet(out uint number) ? number : null);

    /// <summary>This process has the input of the child open: one that reads to the end of it waits for that, and does not end.</summary>
    public bool IsInputOpen => Child is { IsInputOpen: true } && !IsPastExit;

    /// <summary>Null for a thread that waits for nothing outside, or of which that is not known.</summary>
    public static OutsideRequest? Of(RuleContext context, ThreadAssessment thread)
        => IsBlocked(thread.State) ? (OfCall(context, thread) ?? OutsideTask.Of(context, thread)) is { } request
                ? request with
                {
                    IsToItself = context.Flows.Server.IsPeerOf(request.Socket),
                    IsHeldInPassing = request.IsHeldInPassing
                        || (!context.Case.IsSaidToHang && context.Flows.Server.AnswersInTime(request.Socket)),
                }
                : null
            : null;

    private static OutsideRequest? OfCall(RuleContext context, ThreadAssessment thread)
    {
        // FileSystemWatcher.WaitForChanged waits for a handler of this process where one runs.
        if ((OutsideCall.In(thread.Thread.Stack.Frames) ?? OutsideSystemCall.Of(context, thread.Thread)) is not { } call || context.WaitsOf(thread.Thread.OsId).Any(wait => wait.Lock.Kind == LockKind.Callback))
        {
            return null;
        }

        OutsideWaitFacts? facts = context.FindOutside(thread.Thread.OsId);
        SocketFacts? socket = facts?.FindSocket();
        KnownCall row = RowOf(call, thread.Thread.Stack.Frames);
        return new OutsideRequest(thread, row, call.Frame, call.Caller, MeaningOf(row, socket, facts?.Limit))
        {
            IsInLoop = facts is { IsInLoop: true } && (facts.Child is { HasValue: true } || context.Children.Count > 0),
            Socket = socket,
            KnownChild = facts?.Child,
            Source = facts?.Source ?? "stack",
            Holder = facts?.Holder,
            IsLeftOpen = facts?.IsLeftOpen == true,
            IsSharedHere = facts?.IsSharedHere == true,
            IsHeldInPassing = !context.Case.IsSaidToHang
                && facts?.Holder is { } holder && context.Find(holder) is { } other && Timeouts.IsAwake(other)
                && context.FindOutside(holder) is null,
            HasTimeout = facts?.Limit is { } limit ? WaitLimit.Ends(limit) : TimeoutOf(context, thread, row, socket),
        };
    }

    // Process.WaitForExit without a limit waits for the process, and then for the end of what it has redirected: .NET by a task, the
    // .NET Framework by a method of its own.
    private static KnownCall RowOf(OutsideCall call, IReadOnlyList<FrameFacts> frames)
        => call.Row.Outside == OutsideEnd.ChildProcess
            && frames.Take(call.Depth).Any(frame => frame.Method is { } method
                && (method.StartsWith("System.Threading.Tasks.Task.", StringComparison.Ordinal) || method.StartsWith("System.Diagnostics.AsyncStreamReader.WaitUtilEOF", StringComparison.Ordinal)))
            ? RestOfOutput
            : call.Row;

    // What ends in a moment by rights, and is tried again without end, is owed.
    private static OutsideWait MeaningOf(KnownCall row, SocketFacts? socket, TimeSpan? limit)
        => socket is { IsAccepted: true } or { IsListening: true } ? OutsideWait.Idle
            : row.Awaits == OutsideWait.Moment && limit == Timeout.InfiniteTimeSpan ? OutsideWait.Answer
            : row.Awaits;

    private static bool IsBlocked(ThreadActivity state)
        => state is ThreadActivity.WaitsForIo or ThreadActivity.WaitsForObject or ThreadActivity.Sleeping or ThreadActivity.Yielding or ThreadActivity.Unknown;

    // A client of HTTP cancels its requests by a timer of its own; a thread that tries again and again sleeps in between.
    private static bool? TimeoutOf(RuleContext context, ThreadAssessment thread, KnownCall row, SocketFacts? socket)
        => row.IsTriedAgain || row.Type?.StartsWith("System.Net.Http.", StringComparison.Ordinal) == true || thread.State is ThreadActivity.Sleeping or ThreadActivity.Yielding ? null
            : context.FindTaskWait(thread.Thread.OsId)?.Timeout is { } ofTask && ofTask.TryGet(out TimeSpan given) ? WaitLimit.Ends(given)
            : Timeouts.InCallOf(thread.Thread) == true ? true
            : OutsideLimit.OfSocket(row, socket) is { } limit ? WaitLimit.Ends(limit)
            : Timeouts.InCallOf(thread.Thread);
}
