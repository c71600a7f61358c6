using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Which threads wait without end, and for what; all others that run code of the program, or may, can do anything.</summary>
internal sealed class ReachThreads
{
    private const int Main = 1;

    private static readonly string[] s_loops = ["GateThreadStart", "TimerThread", "EventLoop", "WaitThreadStart"];

    private readonly Dictionary<ThreadId, List<WaitFacts>> _waits = [];
    private readonly Dictionary<ThreadId, TaskWaitFacts> _tasks = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly Dictionary<ThreadId, ThreadId> _transactions = [];
    private readonly Dictionary<ulong, ReachThreadState> _states = [];
    private readonly RuntimeHandles _handles;
    private readonly Func<uint, bool?> _hasTimeout;

    /// <param name="facts">What is known of the waits.</param>
    /// <param name="handles">The runtime's handles.</param>
    /// <param name="hasTimeout">Whether the system call that a thread is in was given a timeout; null where that is not known.</param>
    public ReachThreads(ManagedFacts facts, RuntimeHandles handles, Func<uint, bool?> hasTimeout)
    {
        _handles = handles;
        _hasTimeout = hasTimeout;
        foreach (WaitFacts wait in facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : [])
        {
            if (!_waits.TryGetValue(wait.Thread, out List<WaitFacts>? own))
            {
                _waits.Add(wait.Thread, own = []);
            }

            own.Add(wait);
        }

        foreach (LockFacts @lock in facts.Locks.TryGet(out IReadOnlyList<LockFacts>? locks) ? locks : [])
        {
            _locks.TryAdd(@lock.Id, @lock);
        }

        foreach (TaskWaitFacts wait in facts.Tasks.TryGet(out TaskGraphFacts? tasks) ? tasks.Waits : [])
        {
            _tasks.TryAdd(wait.Thread, wait);
        }

        IReadOnlyList<OutsideWaitFacts>? calls = null;
        foreach (OutsideWaitFacts wait in facts.Outside?.TryGet(out calls) == true ? calls! : [])
        {
            if (wait.WaitsForTransaction())
            {
                _transactions.TryAdd(wait.Thread, wait.Holder!.Value);
            }
        }
    }

    /// <summary>What the thread waits for in one of the primitives of .NET.</summary>
    public IReadOnlyList<WaitFacts> WaitsOf(ThreadId thread) => _waits.TryGetValue(thread, out List<WaitFacts>? waits) ? waits : [];

    /// <summary>The tasks that the thread is blocked on.</summary>
    public IReadOnlyList<Address> TasksOf(ThreadId thread) => _tasks.TryGetValue(thread, out TaskWaitFacts? wait) ? wait.Tasks : [];

    /// <summary>Who has the transaction that the thread waits for without end; null for a thread that waits for none.</summary>
    public ThreadId? TransactionOf(ThreadId thread) => _transactions.TryGetValue(thread, out ThreadId holder) ? holder : null;

    /// <summary>Who has the lock that is waited for; null where nobody has or that is not known.</summary>
    public ThreadId? OwnerOf(WaitFacts wait)
        => wait.Kind == WaitKind.Acquire && _locks.TryGetValue(wait.Lock, out LockFacts? facts) && facts.Owner.TryGet(out ThreadId owner) ? owner : null;

    /// <summary>Who had the lock has ended.</summary>
    public bool IsOrphaned(WaitFacts wait)
        => wait.Kind == WaitKind.Acquire && _locks.TryGetValue(wait.Lock, out LockFacts? facts) && facts is { OwnerHasEnded: true, IsPassing: false };

    /// <summary>It waits without end for a lock, and for nothing else.</summary>
    public bool WaitsForLock(ThreadStack stack)
        => StateOf(stack) == ReachThreadState.Waits
            && WaitsOf(new ThreadId(stack.Thread.OSThreadId)) is { Count: > 0 } waits
            && waits.All(wait => wait.Kind == WaitKind.Acquire);

    public ReachThreadState StateOf(ThreadStack stack)
    {
        if (!_states.TryGetValue(stack.Thread.Address, out ReachThreadState state))
        {
            state = Look(stack);
            _states.Add(stack.Thread.Address, state);
        }

        return state;
    }

    private ReachThreadState Look(ThreadStack stack)
    {
        ThreadId id = new(stack.Thread.OSThreadId);
        ClrMethod[] methods = [.. stack.Methods];
        if (methods.Length == 0)
        {
            // The runtime finds no frame below some of its own calls, such as the one for the time; their caller works with objects.
            return stack.Thread.GCMode == GCMode.Cooperative && !IsCompiler(stack.Thread)
                ? ReachThreadState.Runs : ReachThreadState.OfRuntime;
        }

        if (IsRuntimes(methods))
        {
            return ReachThreadState.OfRuntime;
        }

        if (TransactionOf(id) is not null)
        {
            return ReachThreadState.Waits;
        }

        if (AwaitsAnswer(methods) && _hasTimeout(id.Value) != true)
        {
            return ReachThreadState.AwaitsAnswer;
        }

        IReadOnlyList<WaitFacts> waits = WaitsOf(id);
        if (waits.Count > 0)
        {
            return waits.All(wait => wait.Lock.Kind != LockKind.SpinLock && IsEndless(wait.Timeout, id)) ? ReachThreadState.Waits : ReachThreadState.Runs;
        }

        return _tasks.TryGetValue(id, out TaskWaitFacts? task) ? IsEndless(task.Timeout, id) ? ReachThreadState.Waits : ReachThreadState.Runs
            : SleepsForEver(methods, id) ? ReachThreadState.Waits
            : ReachThreadState.Runs;
    }

    // The thread that compiles methods anew which are called often: the runtime has begun it by itself, and no code has asked for its object.
    private bool IsCompiler(ClrThread thread)
        => thread.ManagedThreadId != Main && !_handles.IsCut && _handles.ThreadObject(thread).IsNull;

    private bool IsEndless(Known<TimeSpan> timeout, ThreadId thread)
        => timeout.TryGet(out TimeSpan length) ? length == Timeout.InfiniteTimeSpan : _hasTimeout(thread.Value) == false;

    private bool SleepsForEver(ClrMethod[] methods, ThreadId thread)
        => DotNetCalls.Table.Find(methods[0].Type?.Name, methods[0].Name)?.Meaning == CallMeaning.Sleeps && _hasTimeout(thread.Value) == false;

    // Above the program's own code stands a call that waits for a server, a pipe or a child; not for whoever may come.
    private static bool AwaitsAnswer(ClrMethod[] methods)
    {
        KnownCall? outermost = null;
        foreach (string method in methods.Select(method => $"{method.Type?.Name}.{method.Name}").TakeWhile(OutsideCall.IsOfClient))
        {
            outermost = OutsideCalls.Find(method) ?? outermost;
        }

        return outermost is { Awaits: OutsideWait.Answer or OutsideWait.Data };
    }

    // Those of the pool that have nothing to do, and those that the base library keeps for timers, sockets and waits.
    private static bool IsRuntimes(ClrMethod[] methods)
        => methods.All(method => Frameworks.IsOfBaseLibrary(method.Type?.Name) || method.Type?.Name?.StartsWith("Interop", StringComparison.Ordinal) == true)
            && methods.Any(method => DotNetCalls.Table.Find(method.Type?.Name, method.Name)?.Meaning == CallMeaning.IdlesInPool
                || (method.Name is { } name && Array.Exists(s_loops, loop => loop == name)));
}
