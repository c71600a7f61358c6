using HangTriage.Capture.Managed.Reading;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds what a thread waits for in the primitives of System.Threading that no runtime records: by the calls on its stack
/// and the objects that these hold.
/// </summary>
internal sealed class PrimitiveWaits(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    // The one that runs Main, for which it matters whether it only keeps the process alive.
    private const int FirstThread = 1;

    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private ReaderCounts? _readers;

    /// <summary>The objects that threads were found to wait for.</summary>
    public IReadOnlyCollection<LockFacts> Locks => _locks.Values;

    /// <param name="thread">A thread.</param>
    /// <param name="recorded">The timeout of the wait underneath, where the runtime records it; null where it does not.</param>
    /// <returns>The wait, of one thing or of several; null where the thread is in no such primitive; a gap where it is and the object is not certain.</returns>
    public Known<IReadOnlyList<WaitFacts>>? Of(ClrThread thread, TimeSpan? recorded)
    {
        if (BlockedCall.Of(walked.Of(thread)) is not { } call)
        {
            return SpinLockWait.Frames(walked.Of(thread)) is { Count: > 0 } frames ? Spin(thread, frames) : null;
        }

        // What a wait for tasks sleeps on, whose own frames were compiled into the caller.
        StackObjects objects = StackObjects.Of(thread);
        if (call.Primitive == DotNetTypes.ManualResetEventSlim && objects.In(call.Frames, call.Primitive).Any(TaskBlocker.Is))
        {
            return null;
        }

        // A Barrier's wait is a row of short ones.
        Known<TimeSpan> timeout = call.Primitive == DotNetTypes.Barrier ? Known.Derived(Timeout.InfiniteTimeSpan)
            : recorded is { } known ? Known.Read(known)
            : call.IsForever ? Known.Derived(Timeout.InfiniteTimeSpan)
            : Known.Unknown<TimeSpan>("timeout", "the runtime does not record it for this wait");
        return Facts(thread, Find(thread, call, objects), timeout, call.Method).Select<IReadOnlyList<WaitFacts>>(
            waits => waits is [{ Kind: WaitKind.Signal } only]
                && thread.ManagedThreadId == FirstThread ? [only with { IsUnshared = IsUnshared(call) }] : waits);
    }

    // A core with the heap alone has no instructions, and says less for that.
    private bool? IsUnshared(BlockedCall call)
    {
        using OptionalReads optional = new(runtime.DataTarget.DataReader);
        return Attempt.Read("instructions of the method that waits",
            () => Known.Derived(OwnEvents.IsAwaitedBy(call.Caller?.Method) == true)) is { HasValue: true, Value: true } ? true : null;
    }

    private Known<IReadOnlyList<WaitFacts>> Spin(ClrThread thread, IReadOnlyList<ClrStackFrame> frames)
        => Facts(
            thread,
            SpinLockWait.Of(frames, StackObjects.Of(thread), threads) is { } found ? [found] : [],
            Known.Unknown<TimeSpan>("timeout", "nothing records when a spinning thread gives up"),
            ManagedStack.MethodName(frames[^1].Method)!);

    private Known<IReadOnlyList<WaitFacts>> Facts(ClrThread thread, IReadOnlyList<PrimitiveWait> waits, Known<TimeSpan> timeout, string method)
    {
        foreach (LockFacts facts in waits.Select(wait => wait.Facts).OfType<LockFacts>())
        {
            _locks.TryAdd(facts.Id, facts);
        }

        return waits.Count == 0
            ? Known.Unknown<IReadOnlyList<WaitFacts>>(
                $"wait of thread 0x{thread.OSThreadId:x}", $"it waits in {method}, and which object that is for could not be found on its stack")
            : Known.Derived<IReadOnlyList<WaitFacts>>([.. waits.Select(wait => new WaitFacts
            {
                Thread = new ThreadId(thread.OSThreadId),
                Lock = wait.Lock,
                Kind = wait.Kind,
                Mode = wait.Mode,
                TargetThread = wait.TargetThread,
                Handle = wait.Handle,
                Timeout = timeout,
                Trust = Trust.Derived,
                Source = $"stack root of {method}",
            })]);
    }

    private IReadOnlyList<PrimitiveWait> Find(ClrThread thread, BlockedCall call, StackObjects objects)
    {
        if (call.Primitive == DotNetTypes.WaitHandle)
        {
            return new HandleWaits(runtime.DataTarget.DataReader, objects, call).Read();
        }

        IReadOnlyList<ClrObject> own = objects.In(call, call.Primitive);
        PrimitiveWait? found = call.Primitive switch
        {
            DotNetTypes.Thread => Joined(thread, own) is { } target ? Join(target) : null,
            DotNetTypes.ReaderWriterLockSlim => own is [var target] ? ReaderWriter(target, call, thread) : null,
            DotNetTypes.SemaphoreSlim => Semaphore(own, call, objects) is { } target
                ? new PrimitiveWait(new LockId(LockKind.SemaphoreSlim, new Address(target.Address)), WaitKind.Signal, SemaphoreSlimReader.Read(target, context))
                : null,
            _ => Event(own, objects),
        };
        return found is null ? [] : [found];
    }

    // The method that Join was compiled into can hold several: the runtime's own part of the call has the one that is waited for.
    private ClrObject? Joined(ClrThread waiter, IReadOnlyList<ClrObject> own)
    {
        if (own is [var single])
        {
            return single;
        }

        ClrObject[] others =
            [.. own.Where(found => ThreadObjects.NativeThread(found) is { } native && native != waiter.Address
                && threads.Any(thread => thread.Address == native))];
        if (others.Length > 1)
        {
            HashSet<ulong> words = NativeWords.Of(waiter, walked.Of(waiter));
            others = [.. others.Where(found => words.Contains(ThreadObjects.NativeThread(found)!.Value))];
        }

        return others is [var target] ? target : null;
    }

    private PrimitiveWait Join(ClrObject target)
    {
        ulong? native = ThreadObjects.NativeThread(target);
        ClrThread? thread = threads.FirstOrDefault(thread => thread.Address == native);
        return new PrimitiveWait(new LockId(LockKind.Thread, new Address(target.Address)), WaitKind.Exit, null)
        {
            TargetThread = thread is null ? null : new ThreadId(thread.OSThreadId),
        };
    }

    private PrimitiveWait ReaderWriter(ClrObject target, BlockedCall call, ClrThread thread)
    {
        _readers ??= ReaderCounts.Read(runtime, threads, context);
        ReaderWriterLock @lock = new(target, threads, _readers);
        LockFacts facts = @lock.Read(@lock.PartFor(call.Frames.Any(frame => frame.Method!.Name!.Contains("Upgradeable", StringComparison.Ordinal)), thread));
        return new PrimitiveWait(facts.Id, WaitKind.Acquire, facts);
    }

    // Where others wait by await, Wait blocks on a node of their list, and nothing else on the stack need name the semaphore.
    private ClrObject? Semaphore(IReadOnlyList<ClrObject> own, BlockedCall call, StackObjects objects)
    {
        if (own is [var target])
        {
            return target;
        }

        return own.Count == 0
            && objects.In(call, SemaphoreSlimReader.NodeType) is [var node]
            && objects.AllWithFields(DotNetTypes.SemaphoreSlim).Where(semaphore => SemaphoreSlimReader.HasNode(semaphore, node, context)).ToArray() is [var found]
                ? found
                : null;
    }

    private static PrimitiveWait? Event(IReadOnlyList<ClrObject> own, StackObjects objects)
    {
        // CountdownEvent's method keeps only the event inside alive.
        ClrObject? target = own is [var found] ? found
            : own.Count == 0 && objects.All(DotNetTypes.ManualResetEventSlim) is [var inner] ? inner
            : null;
        return target is { } signalled
            ? new PrimitiveWait(new LockId(LockKind.ManagedEvent, new Address(signalled.Address)), WaitKind.Signal, EventFacts(signalled))
            : null;
    }

    private static LockFacts EventFacts(ClrObject target) => new()
    {
        Id = new LockId(LockKind.ManagedEvent, new Address(target.Address)),
        Name = Known.Read(target.Type!.Name!),
        IsHeld = Known.Unknown<bool>("held", "nobody holds an event"),
        Owner = Known.Unknown<ThreadId>("owner", "nobody owns an event: any thread can signal it"),
        Recursion = Known.Unknown<uint>("recursion", "an event has none"),
        WaiterCount = Known.Unknown<uint>("waiting threads", "not read for this kind of object"),
    };
}
