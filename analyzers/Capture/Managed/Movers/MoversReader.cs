using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Reach;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Movers;

/// <summary>
/// Lists what runs in the process, or will run again without anybody outside, and says of each whether it can do more than look: where
/// none can, nothing inside ends a wait.
/// </summary>
internal sealed class MoversReader(
    ClrRuntime runtime, RuntimeRoots roots, ReachThreads threads, FlowInventory inventory, ActingCode code, CaptureContext context)
{
    public const string What = "what still moves in the process";

    private const int MostMovers = 512;
    private const string Watchers = "System.IO.FileSystemWatcher";
    private const string WaitThread = "WaitThreadStart";
    private const string Starter = "System.Threading.Thread";
    private const string TimersTimer = "System.Timers.Timer";

    // They keep the house of .NET's own servers and clients: they ping, scavenge connections, tell the time.
    private static readonly string[] s_housekeeping = ["Microsoft.AspNetCore.", "System.Net.", "Microsoft.Extensions.Http."];

    private static readonly string[] s_watching = ["System.IO.FileSystemEventHandler", "System.IO.RenamedEventHandler"];

    /// <param name="flows">The async methods, in the order of their groupings.</param>
    public IReadOnlyList<MoverFacts> Read(FlowsFacts flows)
        => [.. OfThreads().Concat(OfTimers()).Concat(OfItems()).Concat(OfFlows(flows)).Take(MostMovers)];

    private IEnumerable<MoverFacts> OfThreads()
    {
        foreach (ThreadStack stack in roots.Stacks)
        {
            string[] types = [.. stack.Methods.Select(method => method.Type?.Name).OfType<string>()];
            if (types.Any(type => type.StartsWith(Watchers, StringComparison.Ordinal)))
            {
                bool isTold = s_watching.Any(handler => code.ComesByDelegate(type => type == handler));
                yield return Watcher(stack, Watchers, isTold);
            }
            else if (stack.Frames.Any(frame => frame.Method?.Name == WaitThread))
            {
                yield return Watcher(stack, WaitThread, acts: true);
            }
            else if (threads.StateOf(stack) == ReachThreadState.Runs)
            {
                yield return OfThread(stack, types);
            }
        }
    }

    private static MoverFacts Watcher(ThreadStack stack, string name, bool acts)
        => new() { Kind = MoverKind.Watcher, Name = name, Thread = new ThreadId(stack.Thread.OSThreadId), Acts = acts };

    private MoverFacts OfThread(ThreadStack stack, string[] types)
    {
        ClrMethod? own = stack.Methods.FirstOrDefault(method => method.Type?.Name is { } type && !Frameworks.IsOwn(type));
        return new MoverFacts
        {
            Kind = MoverKind.Thread,
            Thread = new ThreadId(stack.Thread.OSThreadId),
            Name = own is null ? types.LastOrDefault() ?? "native code" : $"{own.Type!.Name}.{own.Name}",
            Acts = own is null ? types.Length == 0 || !types.Any(KeepsHouse) : !IsOfItself(stack) || code.Comes(stack.Thread),
        };
    }

    // Nobody but the thread that runs it waits for its end: it is Main, or was given to the thread.
    private static bool IsOfItself(ThreadStack stack)
        => stack.Frames.Select(frame => frame.Method).OfType<ClrMethod>()
            .Reverse().TakeWhile(method => method.Type?.Name is { } type && Frameworks.IsOwn(type))
            .All(method => method.Type!.Name is Starter
                || method.Type.Name!.StartsWith(Starter + "+", StringComparison.Ordinal));

    private IEnumerable<MoverFacts> OfTimers()
    {
        HashSet<ulong> awaited = [.. inventory.Groups.SelectMany(group => group.AwaitedObjects)];
        foreach (ClrObject timer in PendingTimers.Of(runtime, context))
        {
            ClrObject state = timer.Reference("_state");
            string type = state.Type?.Name ?? string.Empty;
            if (awaited.Contains(state.Address) || type.StartsWith("System.Threading.PeriodicTimer", StringComparison.Ordinal))
            {
                // It continues an async method, which is looked at itself.
                continue;
            }

            ClrObject called = timer.Reference("_timerCallback");
            if (type == TimersTimer)
            {
                called = state.Reference("_onIntervalElapsed", "onIntervalElapsed");
            }

            (string Method, bool Acts) found = type == CancelledSources.Type ? (type, CancelledSources.Tells(state))
                : code.Of(called.Address)
                ?? (type, !KeepsHouse(type) && !KeepsHouse(called.Reference("_target").Type?.Name ?? string.Empty));
            yield return new MoverFacts { Kind = MoverKind.Timer, Name = found.Method, Acts = found.Acts };
        }
    }

    private IEnumerable<MoverFacts> OfItems()
        => QueuedObjects.Items(runtime, context)
            .Select(item => new MoverFacts { Kind = MoverKind.WorkItem, Name = item.Type?.Name ?? "unknown", Acts = true });

    private IEnumerable<MoverFacts> OfFlows(FlowsFacts flows)
    {
        (FlowGroup Facts, FlowGrouping Grouping)[] all = [.. flows.Groups.Zip(inventory.Groups)];
        HashSet<string> acting = [.. all.Where(pair => code.Comes(pair.Grouping.Sample.Address)).Select(pair => pair.Facts.Method)];
        FlowEnds ends = new(runtime.Heap, inventory.Boxes);
        return all
            .Where(pair => pair.Facts.State == FlowState.QueuedToResume || pair.Facts.Waits.EndsByTimer)
            .Select(pair => new MoverFacts
            {
                Kind = MoverKind.Flow,
                Name = pair.Facts.Method,
                Acts = pair.Facts.AwaitedBy.Prepend(pair.Facts.Method)
                        .Any(method => Frameworks.IsOwn(method) ? !KeepsHouse(method) : acting.Contains(method))
                    || pair.Grouping.Boxes.Any(box => ends.EndOf(box) is not null),
            });
    }

    private static bool KeepsHouse(string name) => s_housekeeping.Any(start => name.StartsWith(start, StringComparison.Ordinal));
}
