using System.Globalization;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;

namespace HangTriage.Rules.Threads;

/// <summary>The words for suspended async methods and for what they wait for.</summary>
public static class FlowText
{
    /// <summary>"40 x CatalogCache.GetAsync (Shop/CatalogCache.cs:31) wait for SemaphoreSlim CatalogCache.gate, 0 of 1 free".</summary>
    public static string Of(FlowGroup group) => Of(group, string.Empty);

    /// <summary>The same with who called a library's method: "AsyncLock.LockAsync, called by Ledger.PostAsync, waits for ...".</summary>
    public static string WithCaller(FlowGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return Of(group, CallerOf(group) is { } caller ? $", called by {MethodText.Short(caller)}," : string.Empty);
    }

    private static string Of(FlowGroup group, string caller)
    {
        ArgumentNullException.ThrowIfNull(group);
        string count = group.Count == 1 ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"{group.Count} x ");
        string source = group.Source is { } line ? $" ({line})" : string.Empty;
        return $"{count}{MethodText.Short(group.Method)}{source}{caller} {(group.Count == 1 ? "waits" : "wait")} {Waits(group.Waits)}";
    }

    // A library and the program that calls it have namespaces with different beginnings. Main says less than the method itself.
    private static string? CallerOf(FlowGroup group)
        => Namespace(group.Method) is { } own
            && group.AwaitedBy.FirstOrDefault(method => !Frameworks.IsOwn(method) && Namespace(method) != own) is { } caller
            && !UserCode.IsMain(caller)
            ? caller
            : null;

    // Null for a type outside of any.
    private static string? Namespace(string method)
        => method.AsSpan().Count('.') > 1 && method.IndexOfAny(['.', '+', '<', '[']) is > 0 and int end && method[end] == '.' ? method[..end] : null;

    /// <summary>"CatalogCache.GetAsync".</summary>
    public static string Method(FlowGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return MethodText.Short(group.Method);
    }

    /// <summary>"ShopController.GetAsync &lt; Pipeline.InvokeAsync"; null where no async method awaits the group's.</summary>
    public static string? AwaitedBy(FlowGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        return group.AwaitedBy.Count == 0 ? null
            : string.Join(" < ", group.AwaitedBy.Select(MethodText.Short)) + (group.IsChainCut ? " < ..." : string.Empty);
    }

    /// <summary>"for SemaphoreSlim CatalogCache.gate, 0 of 1 free".</summary>
    public static string Waits(FlowWait wait)
    {
        ArgumentNullException.ThrowIfNull(wait);
        string via = wait is { Via: { } method, Kind: not FlowWaitKind.Semaphore } ? $" (in {MethodText.Short(method)})" : string.Empty;
        return For(wait) + via + End(wait);
    }

    /// <summary>"SemaphoreSlim CatalogCache.gate, 0 of 1 free"; null where it waits for no thing that has a name.</summary>
    public static string? Thing(FlowWait wait)
    {
        ArgumentNullException.ThrowIfNull(wait);
        return For(wait) is ['f', 'o', 'r', ' ', .. string thing] ? thing : null;
    }

    private static string For(FlowWait wait) => wait.Kind switch
    {
        FlowWaitKind.Semaphore => $"for SemaphoreSlim {Name(wait)}{Free(wait)}",
        FlowWaitKind.Task when wait.LostParts == 1 => "for 1 task that is gone: nothing refers to it",
        FlowWaitKind.Task when wait.LostParts > 1 => $"for {Count.Of(wait.LostParts, "task")} that are gone: nothing refers to them",
        FlowWaitKind.Task => Task(wait),
        FlowWaitKind.AsyncMethod => $"for the async method {Name(wait)}",
        FlowWaitKind.Channel => $"{Queue(wait, "channel")}",
        FlowWaitKind.Pipe => $"{Queue(wait, "pipe")}",
        FlowWaitKind.Delay => "for Task.Delay",
        FlowWaitKind.InfiniteDelay => "for a Task.Delay without end",
        FlowWaitKind.Timer => "for a PeriodicTimer",
        FlowWaitKind.CancellationOnly => "until it is cancelled",
        FlowWaitKind.WhenAny => "for Task.WhenAny",
        FlowWaitKind.WhenAll => "for Task.WhenAll",
        FlowWaitKind.InputOutput => Outside(wait),
        FlowWaitKind.Queued => "to continue: it is queued",
        FlowWaitKind.Custom => $"for an object of type {Type(wait)}",
        _ => "for something that could not be read",
    };

    private static string Task(FlowWait wait)
    {
        string? kept = wait.KeptIn is { } field ? $"{MethodText.Short(field)} keeps" : null;
        string that = kept is null ? string.Empty : $" that {kept}";
        return wait.Label is null && wait.Objects > 1 ? $"for {Count.Of(wait.Objects, "task")}{that}"
            : wait.Label is null && kept is not null ? $"for a task{that}"
            : $"for the task {Name(wait)}{(kept is null ? string.Empty : $", which {kept}")}";
    }

    private static string Outside(FlowWait wait) => wait.Socket switch
    {
        { IsListening: true } => "for the next connection",
        { Peer: { } peer } when peer.TryGet(out string? other) => $"for {other} (input or output)",
        { Operation: SocketOperation.Receive } => "for data from a pipe or a socket",
        _ => $"for input or output: {Type(wait)}",
    };

    private static string Name(FlowWait wait)
        => wait.Label is { } label ? label.Contains('.', StringComparison.Ordinal) ? MethodText.Short(label) : $"in its variable {label}"
            : wait is { KeptIn: { } field, Kind: not FlowWaitKind.Task } ? MethodText.Short(field)
            : wait.Address is { } address ? $"at {address}"
            : "of unknown name";

    private static string Type(FlowWait wait) => wait.Type is { } type ? MethodText.Short(type) : "of unknown name";

    private static string Free(FlowWait wait)
        => wait.Entries is not { } entries ? string.Empty
            : entries.IsBounded() ? string.Create(CultureInfo.InvariantCulture, $", {entries.Left} of {entries.Most} free")
            : string.Create(CultureInfo.InvariantCulture, $", count {entries.Left}");

    private static string Queue(FlowWait wait, string what)
    {
        FlowQueue? queue = wait.Queue;
        string full = queue is { Used: { } used, Capacity: { } capacity } ? string.Create(CultureInfo.InvariantCulture, $", {used} of {capacity} used")
            : queue is { Used: { } items } ? string.Create(CultureInfo.InvariantCulture, $", {items} used")
            : string.Empty;
        return $"{(queue?.Waits == FlowQueueEnd.Writer ? "to write to" : "to read from")} the {what} {Name(wait)}{full}";
    }

    // What ends a delay is the delay.
    private static string End(FlowWait wait)
    {
        string set = wait.SetFor is { } span ? $" of {Durations.Of(span)}" : string.Empty;
        return (wait.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer ? set : wait.EndsByTimer ? $", with a timeout{set}" : string.Empty)
            + (wait is { EndsByToken: true, Kind: not FlowWaitKind.CancellationOnly } ? ", with a cancellation token"
                : wait.IsTokenLost ? ", with a cancellation token that nobody can cancel any more"
                : string.Empty);
    }
}
