using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>A thread that blocks on a task whose every end is an operation of a socket, or that waits for a child.</summary>
internal static class OutsideTask
{
    // Far more than one request is made of.
    private const int MostTasks = 256;

    // The method of .NET that reads a child's redirected output line by line; a thread blocks on it in WaitForExit alone, behind the exit.
    private const string ReadOfOutput = "System.Diagnostics.AsyncStreamReader.ReadBufferAsync";

    private static readonly KnownCall s_exit = OutsideCalls.Table.Find("System.Diagnostics.Process", "WaitForExit")!;
    private static readonly KnownCall s_receive = OutsideCalls.Table.Find("System.Net.Sockets.Socket", "Receive")!;
    private static readonly KnownCall s_connect = OutsideCalls.Table.Find("System.Net.Sockets.Socket", "Connect")!;
    private static readonly KnownCall s_send = OutsideCalls.Table.Find("System.Net.Sockets.Socket", "Send")!;

    /// <summary>
    /// Null for a thread that blocks on none, or on one that neither waits for a child nor has every end in an operation of a
    /// client's socket.
    /// </summary>
    public static OutsideRequest? Of(RuleContext context, ThreadAssessment thread)
    {
        if (context.FindTaskWait(thread.Thread.OsId) is not { } wait
            || Walk(context, wait.Tasks) is not { Count: > 0 } chain)
        {
            return null;
        }

        if (thread.Thread.Stack.Frames.FirstOrDefault(IsTaskWait) is not { } frame || thread.Thread.Stack.Frames.FirstOrDefault(UserCode.IsManaged) is not { } caller)
        {
            return null;
        }

        if (chain.FirstOrDefault(task => task.Child is not null) is { } waits)
        {
            return new OutsideRequest(thread, s_exit, frame, caller, s_exit.Awaits) { Method = MethodOf(context, chain, caller), KnownChild = waits.Child, Source = waits.Method!, HasTimeout = LimitOf(wait) };
        }

        // Requests that queue for a connection of the client's pool wait for those that have one.
        bool queues = chain.Any(IsForConnection);
        TaskNeedFacts[] ends = [.. chain.Where(task => !IsForConnection(task)).SelectMany(task => task.Needs).Where(need => need.Kind != TaskNeedKind.Task)];
        if (ends.Length == 0
            || ends.Any(end => end is not { Kind: TaskNeedKind.Io, Socket: { IsAccepted: false, IsListening: false } })
            || RowOf(ends[0].Socket!.Operation) is not { } operation)
        {
            return null;
        }

        KnownCall row = wait.Tasks.Any(task => context.FindTask(task)?.Method == ReadOfOutput) ? OutsideRequest.RestOfOutput
            : chain.Select(task => OutsideCalls.Find(task.Method)).FirstOrDefault(found => found?.Awaits == OutsideWait.Answer)
                ?? operation;
        return new OutsideRequest(thread, row, frame, caller, Meaning(context, chain, row, caller))
        {
            Method = MethodOf(context, chain, caller),
            Socket = ends[0].Socket,
            Source = ends[0].Source,
            HasTimeout = GivesUp(context, chain, ends[0].Socket!, queues) ? true : LimitOf(wait),
        };
    }

    // Who asks the process itself may be who keeps it from answering: that he gives up then mends nothing.
    private static bool GivesUp(RuleContext context, IReadOnlyList<TaskFacts> chain, SocketFacts socket, bool queues)
        => (queues || !context.Flows.Server.IsPeerOf(socket))
            && chain.Any(task => task.RequestLimit is { } limit && (queues || WaitLimit.Ends(limit)));

    private static bool IsForConnection(TaskFacts task) => task.Type.Is(ResourceCalls.IsPooledConnection);

    // What completes a task can have a timeout of its own.
    private static bool? LimitOf(TaskWaitFacts wait) => wait.Timeout.Is(WaitLimit.Ends) ? true : null;

    // Main that awaits the next message of a connection is how a client idles; code that blocks on it, or awaits just one, wants it now.
    // At the other end of a pipe is mostly a child that works: its output is a suspect and no more.
    private static OutsideWait Meaning(RuleContext context, IReadOnlyList<TaskFacts> chain, KnownCall row, FrameFacts caller)
        => row.Awaits == OutsideWait.Data && IsMadeMain(caller) && !context.Flows.Groups.Any(group => group.IsInLoop == false && group.Waits.Socket?.Peer is { HasValue: true } && chain.Any(task => task.Address == group.Sample))
            ? OutsideWait.Idle
            : IsMadeMain(caller) && AsksAgain(context, chain) ? OutsideWait.Idle
            : row.Awaits;

    // Each request gives up by itself and the next one follows, as where a server is asked for changes.
    private static bool AsksAgain(RuleContext context, IReadOnlyList<TaskFacts> chain)
        => chain.Any(task => task.RequestLimit is { } limit && WaitLimit.Ends(limit))
            && context.Flows.Groups.Any(group => group.IsInLoop == true && chain.Any(task => task.Address == group.Sample));

    // The program's own before that of a library that it calls.
    private static string? MethodOf(RuleContext context, IReadOnlyList<TaskFacts> chain, FrameFacts caller)
    {
        string[] methods = IsMadeMain(caller) ? [.. chain.Select(task => task.Method).OfType<string>().Where(method => !UserCode.IsOfFramework(method))] : [];
        return methods.LastOrDefault(method => !OutsideCall.IsOfClient(method) && !context.Flows.IsOfLibrary(method)) ?? methods.LastOrDefault();
    }

    // What the compiler makes around an asynchronous Main.
    private static bool IsMadeMain(FrameFacts caller) => caller.Method!.EndsWith(".<Main>", StringComparison.Ordinal);

    private static KnownCall? RowOf(SocketOperation? operation) => operation switch
    {
        SocketOperation.Connect => s_connect,
        SocketOperation.Receive => s_receive,
        SocketOperation.Send or SocketOperation.SendTo or SocketOperation.SendPackets => s_send,
        _ => null,
    };

    private static bool IsTaskWait(FrameFacts frame)
        => frame.Kind == FrameKind.Managed && TaskCalls.Find(frame.Method) is not null;

    /// <summary>The tasks that these need, those that are not followed to an end left out; null where they are too many.</summary>
    private static List<TaskFacts>? Walk(RuleContext context, IReadOnlyList<Address> starts)
    {
        TaskFacts?[] chain = [.. NeededTasks.Of(context, starts).Take(MostTasks + 1).Select(needed => needed.Facts)];
        return chain.Length <= MostTasks && Array.TrueForAll(chain, task => task is { Needs.Count: > 0 }) ? [.. chain.OfType<TaskFacts>()] : null;
    }
}
