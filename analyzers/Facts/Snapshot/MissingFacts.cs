namespace HangTriage.Facts;

/// <summary>Finds a null in a place that the records promise to fill: a facts file is input that anybody can have written.</summary>
internal static class MissingFacts
{
    /// <summary>Names the first such place; null where there is none.</summary>
    public static string? FirstIn(IReadOnlyList<ProcessSnapshot> samples)
        => samples.Select((sample, index) => sample is null ? $"sample {index + 1}"
                : FirstIn(sample) is not { } missing ? null
                : samples.Count == 1 ? missing
                : $"sample {index + 1}: {missing}")
            .FirstOrDefault(missing => missing is not null);

    private static string? FirstIn(ProcessSnapshot snapshot)
        => InTarget(snapshot.Target)
            ?? (snapshot.Gaps is null || snapshot.Gaps.Any(IsHollow) ? "gaps" : null)
            ?? InList("modules", snapshot.Modules, module => module?.Name is null)
            ?? InList("threads", snapshot.Threads, IsHollow)
            ?? (snapshot.Windows is { } windows && IsHollow(windows) ? "windows" : null)
            ?? (snapshot.Linux is { } linux && (IsHollow(linux.Locks, list => list.Any(IsHollow)) || IsHollow(linux.Waits, list => list.Any(IsHollow))) ? "linux" : null)
            ?? (snapshot.Managed is { } managed && IsHollow(managed, IsHollow) ? "managed" : null);

    private static string? InTarget(TargetFacts? target)
        => target is null ? "target"
            : target.OsBuild is null || target.Pid is null || target.ProcessName is null || target.ProcessorCount is null
                || target.StartedAt is null || target.CapturedAt is null
                || target.Crash is { Name: null } or { Exception: { Type: null } or { Frames: null } }
                || target.Crash?.Exception?.Frames.Any(frame => frame is null or { Source.File: null }) == true
                || (target.Identity is { } identity && IsHollow(identity, facts => facts?.Seed is null))
                || IsHollow(target.Runtimes, list => list.Any(IsHollow)) ? "target"
            : null;

    private static string? InList<T>(string name, Known<IReadOnlyList<T>>? list, Func<T, bool> isHollow)
        => IsHollow(list, items => items.Any(isHollow)) ? name : null;

    private static bool IsHollow<T>(Known<T>? known, Func<T, bool> isHollow)
        where T : notnull
        => known is null || (known.TryGet(out T? value) ? isHollow(value) : IsHollow(known.Gap));

    private static bool IsHollow(Gap? gap) => gap?.What is null || gap.Why is null;

    private static bool IsHollow(RuntimeFacts? runtime) => runtime?.Flavor is null || runtime.Version is null;

    private static bool IsHollow(ThreadFacts? thread)
        => thread is null || thread.Name is null || IsHollow(thread.Cpu, cpu => cpu is null) || thread.StartedAt is null || thread.StartAddress is null
            || thread.Stack?.Frames is null || thread.Stack.Frames.Any(frame => frame is null or { Source.File: null })
            || (thread.Stack.Stopped is { } stopped && IsHollow(stopped))
            || (thread.SystemCall is { } call && IsHollow(call, facts => facts?.Number is null || facts.Name is null))
            || (thread.Teb is { } teb && IsHollow(teb, block =>
                block.WaitingOnLoaderLock is null || block.IsLoadOwner is null || block.IsLoaderWorker is null))
            || (thread.Loop is { } loop && IsHollow(loop, facts => facts is null))
            || (thread.Kernel is { } kernel && (kernel.Switches is null || IsHollow(kernel.WaitChannel, channel => channel is null)));

    private static bool IsHollow(LockFacts? @lock)
        => @lock?.Id is null || @lock.Name is null || @lock.IsHeld is null || @lock.Owner is null || @lock.Recursion is null
            || @lock.WaiterCount is null
            || (@lock.Field is { } field && IsHollow(field, name => name is null))
            || (@lock.Entries is { } entries && IsHollow(entries, counts => counts is null))
            || (@lock.Readers is { } readers && IsHollow(readers, list => list is null));

    private static bool IsHollow(HandleFacts? handle) => handle?.Type is null || handle.Name is null;

    private static bool IsHollow(WindowsFacts windows)
        => windows.Peb is null || IsHollow(windows.LoaderLock, IsHollow)
            || IsHollow(windows.Locks, list => list.Any(IsHollow))
            || IsHollow(windows.Waits, list => list.Any(IsHollow))
            || IsHollow(windows.Handles, list => list.Any(IsHollow));

    private static bool IsHollow(WaitFacts? wait) => wait?.Lock is null || wait.Timeout is null || wait.Source is null;

    private static bool IsHollow(ManagedFacts managed)
        => managed.Runtime is null || IsHollow(managed.Runtime)
            || IsHollow(managed.Locks, list => list.Any(IsHollow)) || IsHollow(managed.Waits, list => list.Any(IsHollow))
            || (managed.Collections is { } collections && IsHollow(collections, IsHollow))
            || IsHollow(managed.Tasks, IsHollow)
            || IsHollow(managed.UiThreads, list => list.Any(thread => thread?.ContextType is null || thread.Source is null))
            || (managed.Flows is { } flows && IsHollow(flows, IsHollow))
            || (managed.Outside is { } outside && IsHollow(outside, list => list.Any(IsHollow)))
            || (managed.Finalizer is { } finalizer && IsHollow(finalizer, facts => facts?.Queued is null))
            || (managed.Clock is { } clock && IsHollow(clock, facts =>
                facts?.Sources is null || facts.Sources.Any(source => source is null)))
            || (managed.CollectionWaits is { } collected && IsHollow(collected, list => list.Any(IsHollow)))
            || (managed.Pool is { } pool && IsHollow(pool, facts =>
                facts.Workers is null || facts.KnownBlocked is null || facts.Queued is null || facts.StarvationEntries is null));

    private static bool IsHollow(CollectionWaitFacts? wait)
        => wait?.Type is null || IsHollow(wait.Keeper, keeper => keeper?.Path is null || keeper.Path.Any(part => part is null));

    private static bool IsHollow(OutsideWaitFacts? wait)
        => wait?.Call is null || wait.Source is null
            || (wait.Socket is { } socket && IsHollow(socket, IsHollow))
            || (wait.Child is { } child && IsHollow(child, IsHollow));

    private static bool IsHollow(ChildFacts? child) => child?.Id is null || child.Unread is null;

    private static bool IsHollow(SocketFacts? socket) => socket is null || (socket.Peer is { } peer && IsHollow(peer, name => name is null));

    private static bool IsHollow(CollectionsFacts? collections)
        => collections?.Noteworthy is null || collections.Noteworthy.Any(IsHollow)
            || collections.Gaps is null || collections.Gaps.Any(IsHollow);

    private static bool IsHollow(CollectionFacts? table)
        => table?.Type is null || IsHollow(table.Holder, name => name is null)
            || table.Faults is null || table.Faults.Any(fault => fault is null)
            || table.Uses is null || table.Uses.Any(use => use is null);

    private static bool IsHollow(FlowsFacts? flows)
        => flows?.Groups is null || flows.Groups.Any(group =>
            group?.Method is null || group.Waits is null || group.Source is { File: null } || group.AwaitedBy is null || group.AwaitedBy.Any(method => method is null));

    private static bool IsHollow(TaskGraphFacts? tasks)
        => tasks?.Waits is null || tasks.Waits.Any(wait => wait?.Tasks is null || wait.Timeout is null || wait.Source is null)
            || tasks.Tasks is null || tasks.Tasks.Any(task =>
                task?.Type is null || task.State is null || task.Needs is null || (task.Child is { } child && IsHollow(child, IsHollow)) || task.Needs.Any(need => need?.Source is null || (need.Socket is { } socket && IsHollow(socket))));
}
