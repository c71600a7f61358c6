using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Finds threads in FileSystemWatcher.WaitForChanged while a handler of the same watcher runs: the watcher calls one handler at a time,
/// and the next event that the wait wants comes after that has returned.
/// </summary>
/// <remarks>Fields of dotnet/runtime: FileSystemWatcher.Linux.cs, FileSystemWatcher.Win32.cs.</remarks>
internal sealed class WatcherCalls(IReadOnlyList<ClrThread> threads, ThreadFrames walked, CaptureContext context)
{
    private const string Watcher = "System.IO.FileSystemWatcher";

    // The method that calls the handlers, the object that it works for, and where that keeps the watcher.
    private static readonly (string Type, string Method, string State, string Field)[] s_dispatchers =
    [
        (Watcher + "+RunningInstance", "ProcessEvents", Watcher + "+RunningInstance", "_weakWatcher"),
        (Watcher, "ReadDirectoryChangesCallback", Watcher + "+AsyncReadState", "<WeakWatcher>k__BackingField"),
    ];

    public IEnumerable<Stall> Find(ManagedFacts facts)
    {
        (ClrThread Thread, ulong Watcher)[] waiters = [.. threads.Select(thread => (Thread: thread, Watcher: WaitedFor(thread))).Where(pair => pair.Watcher != 0)];
        foreach ((ClrThread runner, ulong watcher) in waiters.Length == 0 ? [] : Runners())
        {
            LockFacts callback = Stall.Held(LockKind.Callback, watcher, Known.Derived(Watcher), Known.Derived(new ThreadId(runner.OSThreadId)));
            WaitFacts[] waits =
            [
                .. waiters.Where(waiter => waiter.Watcher == watcher)
                    .Select(waiter => Stall.Wait(waiter.Thread.OSThreadId, callback.Id, $"stack root of {Watcher}.WaitForChanged") with { Timeout = TimeoutOf(waiter.Thread, facts) }),
            ];
            if (waits.Length > 0)
            {
                yield return new Stall(callback, waits);
            }
        }
    }

    private ulong WaitedFor(ClrThread thread)
    {
        context.Step();
        ClrStackFrame? wait = Managed(thread).FirstOrDefault(frame => frame.Method is { Name: "WaitForChanged", Type.Name: Watcher });
        return wait is not null && StackObjects.Of(thread) is var objects && (objects.In([wait], Watcher) is [ClrObject own] ? own : Only(objects.All(Watcher))) is var found
            ? found.Address
            : 0;
    }

    private IEnumerable<(ClrThread Thread, ulong Watcher)> Runners()
    {
        foreach (ClrThread thread in threads)
        {
            context.Step();
            ClrStackFrame[] frames = [.. Managed(thread)];
            foreach ((string type, string method, string state, string field) in s_dispatchers)
            {
                int at = Array.FindIndex(frames, frame => frame.Method!.Name == method && frame.Method.Type?.Name == type);
                if (at >= 0 && Array.Exists(frames[..at], frame => !Frameworks.IsOfBaseLibrary(frame.Method!.Type?.Name)))
                {
                    yield return (thread, WeakTarget.Of(Only(StackObjects.Of(thread).All(state)).Reference(field)));
                }
            }
        }
    }

    private static ClrObject Only(IReadOnlyList<ClrObject> found) => found is [ClrObject only] ? only : default;

    private IEnumerable<ClrStackFrame> Managed(ClrThread thread) => walked.Of(thread).Where(frame => frame is { Kind: ClrStackFrameKind.ManagedMethod, Method: not null });

    private static Known<TimeSpan> TimeoutOf(ClrThread thread, ManagedFacts facts)
        => (facts.Tasks.TryGet(out TaskGraphFacts? graph) ? graph.Waits.FirstOrDefault(wait => wait.Thread.Value == thread.OSThreadId)?.Timeout : null)
            ?? Known.Unknown<TimeSpan>("timeout", "the runtime does not record it for this wait");
}
