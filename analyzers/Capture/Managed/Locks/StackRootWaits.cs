using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds what a thread waits for where the runtime does not record it (before .NET 9, .NET Framework): the thread sleeps in
/// a method of Monitor, and that method's frame roots the object.
/// </summary>
internal static class StackRootWaits
{
    /// <summary>The wait; null where the thread waits for no monitor; a gap where it does and the object is not certain.</summary>
    public static Known<WaitFacts>? Of(ClrThread thread, MonitorTable monitors)
    {
        if (!ThreadStates.IsBlocked(thread))
        {
            return null;
        }

        ClrStackFrame[] frames = [.. MonitorFrames(thread)];
        if (frames.Length == 0 || KindOf(frames[0]) is not WaitKind kind)
        {
            return null;
        }

        MonitorEntry[] candidates = [.. Rooted(thread, frames)
            .Select(monitors.ByObject)
            .OfType<MonitorEntry>()
            .Where(monitor => kind == WaitKind.Pulse || (monitor.IsInUse && monitor.OwnerThread != thread.Address))];
        string method = ManagedStack.MethodName(frames[0].Method)!;
        return candidates.Length == 1
            ? Known.Derived(new WaitFacts
            {
                Thread = new ThreadId(thread.OSThreadId),
                Lock = new LockId(LockKind.Monitor, new Address(candidates[0].Object)),
                Kind = kind,
                Timeout = WaitsForever(frames)
                    ? Known.Derived(Timeout.InfiniteTimeSpan)
                    : Known.Unknown<TimeSpan>("timeout", "this version of .NET does not record it"),
                Trust = Trust.Derived,
                Source = $"stack root of {method}",
            })
            : Known.Unknown<WaitFacts>(
                $"wait of thread 0x{thread.OSThreadId:x}",
                $"it waits in {method}, whose frame roots {candidates.Length} monitors that it can wait for");
    }

    /// <summary>The frames of Monitor's methods on top of the stack; none where something else is on top.</summary>
    private static IEnumerable<ClrStackFrame> MonitorFrames(ClrThread thread)
        => thread.EnumerateStackTrace()
            .Where(frame => frame.Method is not null)
            .TakeWhile(frame => frame.Method!.Type?.Name == DotNetTypes.Monitor);

    private static HashSet<ulong> Rooted(ClrThread thread, ClrStackFrame[] frames)
    {
        HashSet<ulong> objects = [];
        foreach (HeldObject root in StackRoots.Of(thread))
        {
            if (root.Frame is { } frame
                && frames.Any(own => own.StackPointer == frame.StackPointer && own.InstructionPointer == frame.InstructionPointer))
            {
                objects.Add(root.Object.Address);
            }
        }

        return objects;
    }

    private static WaitKind? KindOf(ClrStackFrame frame) => CallOf(frame)?.Wait;

    private static bool WaitsForever(ClrStackFrame[] frames) => frames.All(frame => CallOf(frame)?.End == CallEnd.Never);

    private static KnownCall? CallOf(ClrStackFrame frame) => DotNetCalls.Table.Find(DotNetTypes.Monitor, frame.Method!.Name);
}
