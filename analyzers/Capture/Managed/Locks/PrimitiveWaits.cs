using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Finds what a thread waits for in the primitives of System.Threading that no runtime records: by the calls on its stack
/// and the objects that these hold.
/// </summary>
internal sealed class PrimitiveWaits(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, CaptureContext context)
{
    private const string SafeHandle = "Microsoft.Win32.SafeHandles.SafeWaitHandle";

    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private ReaderCounts? _readers;

    /// <summary>The objects that threads were found to wait for.</summary>
    public IReadOnlyCollection<LockFacts> Locks => _locks.Values;

    /// <param name="thread">A thread.</param>
    /// <param name="recorded">The time-out of the wait underneath, where the runtime records it; null where it does not.</param>
    /// <returns>The wait; null where the thread is in no such primitive; a gap where it is and the object is not certain.</returns>
    public Known<WaitFacts>? Of(ClrThread thread, TimeSpan? recorded)
    {
        if (BlockedCall.Of(thread) is not { } call)
        {
            return null;
        }

        if (Find(thread, call) is not { } found)
        {
            return Known.Unknown<WaitFacts>(
                $"wait of thread 0x{thread.OSThreadId:x}", $"it waits in {call.Method}, and which object that is for could not be found on its stack");
        }

        if (found.Facts is { } facts)
        {
            _locks.TryAdd(facts.Id, facts);
        }

        return Known.Derived(new WaitFacts
        {
            Thread = new ThreadId(thread.OSThreadId),
            Lock = found.Lock,
            Kind = found.Kind,
            TargetThread = found.TargetThread,
            Timeout = recorded is { } timeout ? Known.Read(timeout)
                : call.IsForever ? Known.Derived(Timeout.InfiniteTimeSpan)
                : Known.Unknown<TimeSpan>("timeout", "the runtime does not record it for this wait"),
            Trust = Trust.Derived,
            Source = $"stack root of {call.Method}",
        });
    }

    private PrimitiveWait? Find(ClrThread thread, BlockedCall call)
    {
        StackObjects objects = StackObjects.Of(thread);
        IReadOnlyList<ClrObject> own = objects.In(call.Frames, call.Primitive);
        return call.Primitive switch
        {
            BlockedCall.Thread => own is [var target] ? Join(target) : null,
            BlockedCall.ReaderWriterLockSlim => own is [var target] ? ReaderWriter(target, call, thread) : null,
            BlockedCall.SemaphoreSlim => Semaphore(own, call, objects) is { } target
                ? new PrimitiveWait(new LockId(LockKind.SemaphoreSlim, new Address(target.Address)), WaitKind.Signal, SemaphoreSlimReader.Read(target, context))
                : null,
            BlockedCall.WaitHandle => objects.In(call.Frames, SafeHandle) is [var handle] ? Handle(handle, objects) : null,
            _ => Event(own, objects),
        };
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
            && objects.In(call.Frames, SemaphoreSlimReader.NodeType) is [var node]
            && objects.AllWithFields(BlockedCall.SemaphoreSlim).Where(semaphore => SemaphoreSlimReader.HasNode(semaphore, node, context)).ToArray() is [var found]
                ? found
                : null;
    }

    private static PrimitiveWait? Event(IReadOnlyList<ClrObject> own, StackObjects objects)
    {
        // CountdownEvent's method keeps only the event inside alive.
        ClrObject? target = own is [var found] ? found
            : own.Count == 0 && objects.All(BlockedCall.ManualResetEventSlim) is [var inner] ? inner
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

    private PrimitiveWait? Handle(ClrObject handle, StackObjects objects)
    {
        if (handle.Type!.GetFieldByName("handle") is not { } field
            || !runtime.DataTarget.DataReader.ReadPointer(field.GetAddress(handle.Address), out ulong value))
        {
            return null;
        }

        ClrObject owner = objects.All(BlockedCall.WaitHandle)
            .FirstOrDefault(found => found.Type!.GetFieldByName("_waitHandle") is not null && found.ReadObjectField("_waitHandle").Address == handle.Address);
        LockKind kind = owner.Type is null ? LockKind.KernelObject
            : StackObjects.Is(owner, "System.Threading.Mutex") ? LockKind.Mutex
            : StackObjects.Is(owner, "System.Threading.Semaphore") ? LockKind.Semaphore
            : StackObjects.Is(owner, "System.Threading.EventWaitHandle") ? LockKind.Event
            : LockKind.KernelObject;
        LockId id = new(kind, new Address(value));
        return new PrimitiveWait(id, kind == LockKind.Mutex ? WaitKind.Acquire : WaitKind.Signal, kind == LockKind.Mutex ? MutexFacts(id) : null);
    }

    private static LockFacts MutexFacts(LockId id)
    {
        const string Why = "the runtime keeps no record of a mutex's owner that is read; on Windows the handles of the dump have it";
        return new LockFacts
        {
            Id = id,
            Name = Known.Unknown<string>("name of the mutex", Why),
            IsHeld = Known.Derived(true),
            Owner = Known.Unknown<ThreadId>("owner of the mutex", Why),
            Recursion = Known.Unknown<uint>("recursion", Why),
            WaiterCount = Known.Unknown<uint>("waiting threads", Why),
        };
    }
}
