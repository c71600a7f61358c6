using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Outside;

/// <summary>
/// What threads that wait for something outside the process have on their stacks of the other side. Looks at such threads alone,
/// and at no object that their stacks do not hold.
/// </summary>
internal sealed class OutsideReader(
    IReadOnlyList<ClrThread> threads, ThreadFrames walked, DatabaseHolders databases, CaptureContext context)
{
    private const string Network = "System.Net.";
    private const string Sockets = "System.Net.Sockets.";
    private const string Pipe = "System.IO.Pipes.PipeStream";

    /// <param name="stacks">The threads' frames, as they were read before.</param>
    public IReadOnlyList<OutsideWaitFacts> Read(IReadOnlyDictionary<ThreadId, ManagedThread> stacks)
    {
        List<OutsideWaitFacts> waits = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            ThreadId id = new(thread.OSThreadId);
            if (stacks.TryGetValue(id, out ManagedThread? stack) && OutsideCall.In(stack.Stack.Frames) is { } call)
            {
                OutsideWaitFacts wait = new() { Thread = id, Call = call.Frame.Method!, Source = $"stack root of {call.Frame.Method}" };
                waits.Add(With(wait, thread, call, stack.Stack.Frames));
            }
        }

        return waits;
    }

    private OutsideWaitFacts With(OutsideWaitFacts wait, ClrThread thread, OutsideCall call, IReadOnlyList<FrameFacts> frames)
    {
        bool isSocket = call.Row.Outside is OutsideEnd.Server or OutsideEnd.Client
            && frames.Take(call.Depth).Any(frame => frame.Method?.StartsWith(Sockets, StringComparison.Ordinal) == true);
        bool isChild = call.Row.Outside == OutsideEnd.ChildProcess;
        if (call.Row.Type?.StartsWith(CommandLimits.Library, StringComparison.Ordinal) == true)
        {
            ClrObject[] objects = [.. StackRoots.Of(thread).Select(root => root.Object)];
            return databases.With(wait with { Limit = CommandLimits.Of(objects) }, thread, objects);
        }

        if (!isSocket && !isChild && call.Row.Outside != OutsideEnd.Pipe)
        {
            return wait;
        }

        Known<ThreadStack> stack = Attempt.Read("stack objects", () => Known.Read(ThreadStack.Read(thread, walked, context)));
        if (!stack.TryGet(out ThreadStack? read))
        {
            return wait with
            {
                Socket = isSocket ? Known<SocketFacts>.Unknown(stack.Gap!) : null,
                Child = isChild ? Known<ChildFacts>.Unknown(stack.Gap!) : null,
            };
        }

        ulong end = call.Caller?.Sp.Value ?? ulong.MaxValue;
        ClrObject[] inCall = [.. read.Frames.Where(frame => frame.StackPointer < end).SelectMany(read.RootsOf)];
        ClrObject[] all = [.. inCall, .. read.Frames.Where(frame => frame.StackPointer >= end).SelectMany(read.RootsOf)];
        return isSocket ? wait with { Socket = Attempt.Read("socket", () => SocketOf(inCall, all, isOfPipe: !wait.Call.StartsWith(Network, StringComparison.Ordinal))), Limit = CallLimits.Of(inCall) }
            : isChild ? wait with { Child = Attempt.Read("child process", () => ChildReader.Awaited(all)) }
            : wait with { Child = ChildOf(inCall, all), IsInLoop = IsInLoop(thread) };
    }

    // From the call on to where the thread begins; null where the place of one of the methods is not known.
    private bool? IsInLoop(ClrThread thread)
    {
        using IlModules modules = new();
        bool? known = null;
        foreach (ClrStackFrame frame in walked.Of(thread))
        {
            if (modules.Of(frame.Method) is not { } module)
            {
                continue;
            }

            if (SourceLines.IlOffset(frame.Method!, frame.InstructionPointer - 1) is not { } at)
            {
                return null;
            }

            if (IlLoops.Around(module.Body(frame.Method!.MetadataToken), at) is not null)
            {
                return true;
            }

            known = false;
        }

        return known;
    }

    private static Known<SocketFacts> SocketOf(ClrObject[] inCall, ClrObject[] all, bool isOfPipe)
    {
        ClrObject[] own = [.. inCall.Select(SocketReader.In).Where(found => !found.IsNull).DistinctBy(found => found.Address)];
        ClrObject[] found = own.Length > 0 ? own : [.. all.Select(SocketReader.In).Where(found => !found.IsNull).DistinctBy(found => found.Address)];
        // A slot that a frame does not use any more can hold another socket, as one of a pipe's. The one that waits has its handle in the
        // call, too; else the innermost frame's is it. Of those beyond the call any can be.
        HashSet<ulong> inHand = [.. inCall.Select(root => root.Address)];
        SocketFacts[] read =
        [
            .. found.OrderByDescending(socket => inHand.Contains(socket.Reference("_handle").Address))
                .Select(socket => SocketReader.Read(socket, ConnectsTo(socket, inCall)))
                .OrderBy(socket => !isOfPipe && IsOfPipe(socket)),
        ];
        return own.Length > 0 || found.Length == 1
            ? Known.Read(Array.Find(read, socket => socket.Peer?.Gap is null) ?? read[0])
            : Known.Unknown<SocketFacts>("socket", $"the frames of the call hold none, and the rest of the stack {found.Length}");
    }

    // .NET's pipes are sockets on Linux, of which no call of the network waits for one.
    private static bool IsOfPipe(SocketFacts socket)
        => socket.Peer is { } peer && peer.Is(address => address.StartsWith(SocketFacts.Unix, StringComparison.Ordinal)
            && address.Contains("/CoreFxPipe_", StringComparison.Ordinal));

    private static ClrObject ConnectsTo(ClrObject socket, ClrObject[] inCall)
        => socket.Reference("_rightEndPoint").IsNull && socket.Reference("_remoteEndPoint").IsNull ? inCall.FirstOrDefault(EndPointReader.IsEndPoint) : default;

    private static Known<ChildFacts>? ChildOf(ClrObject[] inCall, ClrObject[] all)
        => ChildReader.WithOutput(all, inCall.Where(found => Locks.StackObjects.Is(found, Pipe)).Select(found => found.Address).ToHashSet());
}
