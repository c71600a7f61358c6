using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>Finds for each wait that a thread is in the lock that it is for.</summary>
internal sealed class WaitResolver(
    ClrRuntime runtime,
    IReadOnlyList<ClrThread> threads,
    MonitorTable monitors,
    BlockingInfoLayout? layout,
    ThreadFrames walked,
    CaptureContext context,
    List<Gap> gaps)
{
    private const string RecordedSource = "ThreadBlockingInfo";

    // With the threads that have ended: they can still hold a monitor.
    private readonly Dictionary<ulong, ClrThread> _everyThread = ByAddress(runtime);
    private readonly IDataReader _reader = runtime.DataTarget.DataReader;
    private readonly List<WaitFacts> _waits = [];
    private readonly Dictionary<int, NativeMonitor> _natives = [];
    private readonly Dictionary<ulong, LockFacts> _managedLocks = [];
    private readonly PulsedThreads _pulsed = new(runtime.DataTarget.DataReader, threads.Select(thread => thread.Address));
    private readonly List<ClrThread> _woken = [];
    private IReadOnlyList<(ulong Thread, ulong Block)>? _inWait;
    private readonly PrimitiveWaits _primitives = new(runtime, threads, walked, context);

    public IReadOnlyList<WaitFacts> Waits => _waits;

    /// <summary>Threads that have got their pulse, and have yet to return from Monitor.Wait: some wait for its lock.</summary>
    public IReadOnlyList<ThreadId> Woken => [.. _woken.Select(thread => new ThreadId(thread.OSThreadId))];

    /// <summary>Some thread waits for a monitor, known or not.</summary>
    public bool SawMonitorWait { get; private set; }

    public void Resolve(ClrThread thread, BlockingLists? lists)
    {
        try
        {
            Known<IReadOnlyList<BlockingItem>>? recorded = lists?.Of(thread, context);
            if (recorded is { Gap: { } gap })
            {
                gaps.Add(gap);
            }

            if (recorded is not null && recorded.TryGet(out IReadOnlyList<BlockingItem>? items))
            {
                if (WithoutPulse(items, lists!) is { } left)
                {
                    _woken.Add(thread);
                    items = left;
                    if (left.Count == 0)
                    {
                        return;
                    }
                }

                foreach (BlockingItem item in IsPrimitive(thread, items) ? items.Skip(1) : items)
                {
                    Add(item);
                }
            }
            else if (!IsPrimitive(thread, []))
            {
                AddFromStack(thread);
            }
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed($"waits of thread 0x{thread.OSThreadId:x}", e));
        }
    }

    public IReadOnlyList<LockFacts> Locks()
    {
        HashSet<ulong> waited = [.. _waits.Where(wait => wait.Lock.Kind == LockKind.Monitor).Select(wait => wait.Lock.Address.Value)];
        bool countsWaiters = layout?.MonitorsAreNative ?? true;
        return
        [
            .. monitors.Entries
                .Where(entry => entry.IsInUse || waited.Contains(entry.Object))
                .Select(entry => MonitorFacts.Of(runtime, _everyThread, entry, _natives.GetValueOrDefault(entry.Index), countsWaiters, context)),
            .. _managedLocks.Values,
            .. _primitives.Locks,
        ];
    }

    /// <summary>
    /// The thread waits in a primitive that is built on others, which the innermost wait on record, if it is for a pulse,
    /// belongs to.
    /// </summary>
    private bool IsPrimitive(ClrThread thread, IReadOnlyList<BlockingItem> recorded)
    {
        BlockingItem? pulse = recorded is [{ Kind: BlockingKind.MonitorWait or BlockingKind.Condition } innermost, ..] ? innermost : null;
        Known<IReadOnlyList<WaitFacts>>? waits = _primitives.Of(thread, pulse is null ? null : TimeoutOf(pulse));
        if (waits is { Gap: { } gap })
        {
            gaps.Add(gap);
        }
        else if (waits is not null)
        {
            _waits.AddRange(waits.Value);
        }

        return waits is { HasValue: true } && (pulse is not null || recorded.Count == 0);
    }

    // After its pulse a thread takes the lock anew, and waits for that at most. Null for one that has got none.
    private IReadOnlyList<BlockingItem>? WithoutPulse(IReadOnlyList<BlockingItem> items, BlockingLists lists) => items switch
    {
        [{ Kind: BlockingKind.MonitorLock } inner, { Kind: BlockingKind.MonitorWait } outer, ..] when inner.ObjectPtr == outer.ObjectPtr
            => [inner, .. items.Skip(2)],
        [{ Kind: BlockingKind.MonitorWait } pulse, ..]
            when _pulsed.IsPulsed(pulse.Thread.Address, pulse.ObjectPtr, InWait(lists))
            => [.. items.Skip(1)],
        _ => null,
    };

    private IReadOnlyList<(ulong Thread, ulong Block)> InWait(BlockingLists lists)
        => _inWait ??=
        [
            .. threads.Select(thread => lists.Of(thread, context))
                .Where(list => list.HasValue)
                .SelectMany(list => list.Value)
                .Where(item => item.Kind == BlockingKind.MonitorWait)
                .Select(item => (item.Thread.Address, item.ObjectPtr)),
        ];

    private void Add(BlockingItem item)
    {
        if (item.Kind is BlockingKind.MonitorLock or BlockingKind.MonitorWait)
        {
            SawMonitorWait = true;
            if (Monitor(item) is { } monitor)
            {
                Add(item, LockKind.Monitor, monitor.Object, item.Kind == BlockingKind.MonitorWait ? WaitKind.Pulse : WaitKind.Acquire);
            }
            else
            {
                Missing(item, $"the monitor at 0x{item.ObjectPtr:x} fits no sync block");
            }

            return;
        }

        ClrObject target = _reader.ReadPointer(item.ObjectPtr, out ulong address) ? runtime.Heap.GetObject(address) : default;
        if (item.Kind == BlockingKind.Condition)
        {
            target = target.Type?.GetFieldByName("_associatedLock") is null ? default : target.ReadObjectField("_associatedLock");
        }

        if (target.IsNull || target.Type?.Name != DotNetTypes.Lock)
        {
            Missing(item, $"the object at 0x{address:x} is no System.Threading.Lock, or not in the input");
            return;
        }

        _managedLocks.TryAdd(target.Address, ManagedLock.Read(target, threads));
        Add(item, LockKind.ManagedLock, target.Address, item.Kind == BlockingKind.Condition ? WaitKind.Pulse : WaitKind.Acquire);
    }

    private void Add(BlockingItem item, LockKind kind, ulong address, WaitKind wait)
        => _waits.Add(new WaitFacts
        {
            Thread = new ThreadId(item.Thread.OSThreadId),
            Lock = new LockId(kind, new Address(address)),
            Kind = wait,
            Timeout = Known.Read(TimeoutOf(item)),
            Trust = Trust.Read,
            Source = RecordedSource,
        });

    private static TimeSpan TimeoutOf(BlockingItem item)
        => item.TimeoutMilliseconds < 0 ? Timeout.InfiniteTimeSpan : TimeSpan.FromMilliseconds(item.TimeoutMilliseconds);

    private void AddFromStack(ClrThread thread)
    {
        Known<WaitFacts>? wait = StackRootWaits.Of(thread, monitors);
        SawMonitorWait |= wait is not null;
        if (wait is { Gap: { } gap })
        {
            gaps.Add(gap);
        }
        else if (wait is not null)
        {
            _waits.Add(wait.Value);
        }
    }

    /// <summary>The sync block whose index the native lock holds, if both agree on who owns it.</summary>
    private MonitorEntry? Monitor(BlockingItem item)
    {
        if (NativeMonitor.Read(_reader, item.ObjectPtr, layout?.OwnerInNativeLock) is not { } native
            || monitors.ByIndex(native.SyncBlockIndex) is not { } entry)
        {
            return null;
        }

        if (_everyThread.TryGetValue(entry.OwnerThread, out ClrThread? owner) && owner.IsAlive && owner.OSThreadId != native.OwnerOsId)
        {
            return null;
        }

        _natives[entry.Index] = native;
        return entry;
    }

    private void Missing(BlockingItem item, string why) => gaps.Add(new Gap($"wait of thread 0x{item.Thread.OSThreadId:x}", why));

    private static Dictionary<ulong, ClrThread> ByAddress(ClrRuntime runtime)
    {
        Dictionary<ulong, ClrThread> threads = [];
        foreach (ClrThread thread in runtime.Threads)
        {
            threads.TryAdd(thread.Address, thread);
        }

        return threads;
    }
}
