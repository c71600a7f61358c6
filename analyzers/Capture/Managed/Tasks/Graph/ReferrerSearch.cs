using HangTriage.Capture.Managed.Blocks;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// For tasks that neither their own fields nor any completer explains: who can reach them at all. Goes from each task to what
/// refers to it, round by round, until a completer or a root is found, or nothing is left but those who wait for it.
/// </summary>
internal sealed class ReferrerSearch(
    ClrRuntime runtime,
    TaskGraph graph,
    RuntimeRoots roots,
    IReadOnlyList<TaskWait> waits,
    CaptureContext context)
{
    private const int Rounds = 16;
    private const string Reaches = "reference to the task";
    private const string NotReferred = "no reference to it in heap, handles and stacks but those of its waiters";
    private const string PartGone = "it waits for more tasks than are left: one was forgotten before it was completed";

    private readonly ReferrerScan _scan = new(runtime, roots.Pointers, roots.Referrers, context);
    private readonly ILookup<ulong, ulong> _waiting =
        waits.SelectMany(wait => wait.Tasks.Select(task => (Task: task.Address, Thread: wait.Stack.Thread.Address))).ToLookup(pair => pair.Task, pair => pair.Thread);

    private readonly ILookup<ulong, ThreadStack> _holding =
        roots.Stacks.SelectMany(stack => stack.Roots.Select(root => (Root: root, Stack: stack))).ToLookup(pair => pair.Root, pair => pair.Stack);

    public void Explain(IReadOnlyList<TaskNode> tasks)
    {
        foreach (TaskNode task in tasks.Where(task => InputOutput.IsType(task.Object.Type?.Name)))
        {
            task.Add(Io("the operation is one of the system", task.Object));
        }

        TasksBehind behind = graph.Behind();
        List<Trail> open = [.. SemaphoreLists.Group(tasks.Where(task => !task.IsResolved)).Select(group => New(group, behind)).OfType<Trail>()];
        for (int round = 1; round <= Rounds && open.Count > 0; round++)
        {
            context.Step();
            context.Progress?.Report($"what can complete {open.Count} tasks: heap search {round}");
            foreach (Trail trail in open)
            {
                LookAtRoots(trail);
            }

            open.RemoveAll(trail => trail.IsDone);
            ILookup<ulong, Trail> trails = open
                .SelectMany(trail => trail.Front.Select(address => (Address: address, Trail: trail)))
                .ToLookup(pair => pair.Address, pair => pair.Trail);
            ILookup<ulong, ClrObject> referrers = _scan.Find([.. trails.Select(group => group.Key)])
                .ToLookup(hit => hit.Target, hit => hit.Referrer);
            foreach (Trail trail in open)
            {
                Follow(trail, referrers);
            }

            foreach (Trail dead in open.Where(trail => !trail.IsDone && trail.Front.Count == 0))
            {
                dead.End(HasAllParts(dead.Single) ? [] : [Nobody(dead.Single is { Needs.Count: > 0 } ? PartGone : NotReferred)]);
            }

            open.RemoveAll(trail => trail.IsDone);
        }

        foreach (Trail trail in open)
        {
            trail.End(Unknown($"the chain of what refers to it has more than {Rounds} steps"));
        }
    }

    // One task can be several of the parts.
    private bool HasAllParts(TaskNode? task)
        => task is { LacksParts: true }
            && task.Needs.Select(need => runtime.Heap.GetObject(need.Task!.Value.Value))
                .Sum(part => graph.Continuations.Between(part, task.Object.Address).Count()) >= task.Remaining;

    private TaskNeedFacts Nobody(string source)
        => _scan.IsIncomplete || roots.Handles.IsCut
            ? Unknown("parts of the heap or of the handle table were not searched")
            : new TaskNeedFacts
            {
                Kind = TaskNeedKind.Nobody,
                Trust = Trust.Derived,
                Source = source,
            };

    private Trail? New(IReadOnlyList<TaskNode> tasks, TasksBehind behind)
    {
        if (behind.Of(tasks.Select(task => task.Object.Address)) is { } all)
        {
            return new Trail(tasks, all, [.. all.SelectMany(address => _waiting[address])]);
        }

        foreach (TaskNode task in tasks)
        {
            task.Add(Unknown("too many tasks wait for it, directly or behind others"));
        }

        return null;
    }

    private void LookAtRoots(Trail trail)
    {
        foreach (ulong address in trail.Front)
        {
            // Frames point into the arrays of static fields too, so handles come first.
            if (!trail.EndsByPartsAlone && roots.Handles.LeadsTo(address))
            {
                trail.End(Unknown("a static field or a handle of the runtime leads to it"));
            }
            else if (_holding[address].FirstOrDefault(stack => !trail.Waiters.Contains(stack.Thread.Address)) is { } stack)
            {
                trail.End(Unknown("held by a frame of the thread") with { Thread = new ThreadId(stack.Thread.OSThreadId) });
            }
        }
    }

    private void Follow(Trail trail, ILookup<ulong, ClrObject> referrers)
    {
        ulong[] front = [.. trail.Front];
        trail.Front.Clear();
        foreach (ulong address in front)
        {
            bool isReferred = false;
            foreach (ClrObject referrer in referrers[address])
            {
                isReferred = true;
                if (trail.Seen.Add(referrer.Address))
                {
                    graph.Damaged.Guard(referrer.Address, () => Look(trail, referrer));
                }
            }

            // The arrays that hold statics of threads hang on the runtime's own threads.
            if (!isReferred && !trail.EndsByPartsAlone && runtime.Heap.GetObjectType(address)?.Name == "System.Object[]")
            {
                trail.End(Unknown("an array leads to it that may hold static fields of a thread"));
            }
        }
    }

    private void Look(Trail trail, ClrObject referrer)
    {
        ClrObject box = StateMachine.IsMachine(referrer) ? StateMachine.BoxOf(referrer) : referrer;
        if (trail.Behind.Contains(box.Address) || (ThreadObjects.NativeThread(referrer) is ulong thread && trail.Waiters.Contains(thread)))
        {
            return;
        }

        trail.HasPassedFlow = trail.HasPassedFlow || StateMachine.IsBox(box);
        Continuation[] completes = trail.Single is { } single ? [.. graph.Continuations.Between(referrer, single.Object.Address)] : [];
        if (completes.Length > 0)
        {
            if (!TaskObject.IsCompleted(referrer))
            {
                graph.Link(completes[0], referrer);
                trail.Found();
            }
        }
        else if (trail.EndsByPartsAlone)
        {
            LookForParts(trail, referrer);
        }
        else if (PendingTimers.IsTimer(referrer))
        {
            trail.End(PendingTimers.EndsWaits(referrer) && !trail.HasPassedFlow
                ? PendingTimers.Need(referrer) with { Trust = Trust.Derived, Source = "a timer leads to it" }
                : Unknown("a timer leads to it, and what is done then is unknown"));
        }
        else if (trail.Single is { IsReady: true } ready && graph.NeedsToContinue(referrer, ready.Object) is { Count: > 0 } turns)
        {
            trail.End([.. turns]);
        }
        else if (trail.Single is { IsReady: true } && Continuation.DerivesFromContext(referrer.Type))
        {
            trail.End(graph.NeedOf(referrer, isPosted: true, Reaches));
        }
        else if (InputOutput.IsType(referrer.Type?.Name))
        {
            trail.End(Io(Reaches, referrer));
        }
        else if (WhyNotFollowed(trail, referrer) is { } why)
        {
            trail.End(Unknown(why));
        }
        else
        {
            trail.Front.Add(referrer.Address);
        }
    }

    // Whoever has such a task can do nothing for it, but for the list of those that wait for a part, and who is to tell of one.
    private void LookForParts(Trail trail, ClrObject referrer)
    {
        if (WhenAllTask.IsTeller(referrer))
        {
            trail.End(Unknown("it is about to be told of a part that has completed"));
        }
        else if (WhenAllTask.IsList(referrer) && !roots.Handles.LeadsTo(referrer.Address))
        {
            trail.Front.Add(referrer.Address);
        }
    }

    private string? WhyNotFollowed(Trail trail, ClrObject referrer)
        => referrer.Type is { IsFinalizable: true } type && !type.IsFinalizeSuppressed(referrer.Address) && !StuckBlocks.IsSent(referrer)
                ? $"an object with a finalizer leads to it: {type.Name}"
            : trail.Seen.Count >= context.Limits.Tasks ? $"more than {context.Limits.Tasks} objects lead to it"
            : null;

    private static TaskNeedFacts Io(string source, ClrObject target)
        => new() { Kind = TaskNeedKind.Io, Socket = SocketReader.ReadOperation(target), Trust = Trust.Derived, Source = $"{source}: {target.Type!.Name}" };

    private static TaskNeedFacts Unknown(string source) => new() { Kind = TaskNeedKind.Unknown, Trust = Trust.Derived, Source = source };
}
