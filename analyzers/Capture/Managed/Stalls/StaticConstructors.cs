using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Finds the threads that run static constructors, and those that wait until they have.</summary>
internal sealed class StaticConstructors(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    // The method of the runtime's that runs the constructor stands below the markers of the call, from .NET 10 on.
    private const int FramesToLookAt = 6;

    public IEnumerable<Stall> Find()
    {
        Dictionary<ulong, ClrType> running = Running();
        if (running.Count == 0)
        {
            yield break;
        }

        ConstructorLocks locks = new(runtime.DataTarget.DataReader);
        HashSet<ulong> holders = [.. running.Keys];
        ILookup<ulong, ClrThread> waiters = threads
            .Where(thread => IsInRuntime(thread))
            .Select(thread => (Thread: thread, Holder: locks.HolderFor(thread.Address, holders)))
            .Where(pair => pair.Holder is not null)
            .ToLookup(pair => pair.Holder!.Value, pair => pair.Thread);
        foreach (IGrouping<ulong, ClrThread> group in waiters)
        {
            yield return Of(threads.First(thread => thread.Address == group.Key), running[group.Key], group);
        }
    }

    private Stall Of(ClrThread owner, ClrType type, IEnumerable<ClrThread> waiters)
    {
        LockFacts facts = Stall.Held(LockKind.StaticConstructor, type.MethodTable, NameOf(type), Known.Derived(new ThreadId(owner.OSThreadId)));
        return new Stall(facts, [.. waiters.Select(waiter => Stall.Wait(waiter.OSThreadId, facts.Id, "the lock that the runtime's thread object names"))]);
    }

    private Known<string> NameOf(ClrType type)
        => type.Name is { Length: > 0 } name
            ? Known.Derived(context.Limits.Cut(name))
            : Known.Unknown<string>("type of the static constructor", "its metadata is not in the input");

    /// <summary>By thread the type whose static constructor it runs. Of several the innermost: for which of them another waits is not recorded.</summary>
    private Dictionary<ulong, ClrType> Running()
    {
        Dictionary<ulong, ClrType> running = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            if (TypeOf(thread) is { } type)
            {
                running.TryAdd(thread.Address, type);
            }
        }

        return running;
    }

    private ClrType? TypeOf(ClrThread thread)
        => Frames(thread).FirstOrDefault(frame => frame.Kind == ClrStackFrameKind.ManagedMethod && frame.Method?.Name == ".cctor")?.Method?.Type;

    private bool IsInRuntime(ClrThread thread)
    {
        ClrStackFrame[] top = [.. Frames(thread).Take(FramesToLookAt)];
        return top is [{ Kind: not ClrStackFrameKind.ManagedMethod }, ..]
            || (Array.Find(top, frame => frame.Kind == ClrStackFrameKind.ManagedMethod)?.Method is { } method
                && DotNetCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning == CallMeaning.RunsTypeInitializer);
    }

    private IEnumerable<ClrStackFrame> Frames(ClrThread thread)
    {
        try
        {
            return [.. walked.Of(thread)];
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return [];
        }
    }
}
