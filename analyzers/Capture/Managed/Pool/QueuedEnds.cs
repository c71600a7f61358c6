using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Pool;

/// <summary>Finds the queued items that end waits of threads: forwards from them, a few steps through the program's own objects.</summary>
internal sealed class QueuedEnds(ClrRuntime runtime, CaptureContext context)
{
    private const int MostItems = 4_096;
    private const int MostObjects = 256;
    private const int MostSteps = 6;

    private readonly Dictionary<(ulong, string, string), ClrObject> _statics = [];

    /// <summary>Null where that could not be looked at.</summary>
    public static IReadOnlyList<QueuedEnd>? Read(ClrRuntime runtime, Known<IReadOnlyList<WaitFacts>> waits, CaptureContext context)
        => Attempt.Read("queued items that end waits", () => Known.Derived(new QueuedEnds(runtime, context).Of(waits)))
            .TryGet(out IReadOnlyList<QueuedEnd>? ends) ? ends : null;

    /// <summary>The promises that queued items have and code of theirs keeps.</summary>
    public static IReadOnlyList<ClrObject> Promises(ClrRuntime runtime, CaptureContext context)
        => Attempt.Read("queued items that keep promises", () => Known.Derived(new QueuedEnds(runtime, context).Promises()))
            .TryGet(out IReadOnlyList<ClrObject>? promises) ? promises : [];

    private IReadOnlyList<ClrObject> Promises()
        =>
        [
            .. Reached().SelectMany(item => item.Objects)
                .Distinct()
                .Select(runtime.Heap.GetObject)
                .Where(found => TaskObject.IsTask(found) && TaskObject.Kind(found) == TaskKind.Promise && !TaskObject.IsCompleted(found)),
        ];

    private IReadOnlyList<QueuedEnd> Of(Known<IReadOnlyList<WaitFacts>> known)
    {
        Dictionary<ulong, LockId> targets = [];
        foreach (WaitFacts wait in known.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : [])
        {
            if (ObjectOf(wait) is { } target)
            {
                targets.TryAdd(target, wait.Lock);
            }
        }

        if (targets.Count == 0)
        {
            return [];
        }

        return
        [
            .. Reached()
                .SelectMany(item => item.Objects.Where(targets.ContainsKey).Select(address => (Lock: targets[address], item.Method)))
                .GroupBy(end => end)
                .Select(group => new QueuedEnd(group.Key.Lock, group.Key.Method, group.Count()))
                .OrderByDescending(end => end.Count)
                .ThenBy(end => end.Lock.Address.Value)
                .ThenBy(end => end.Method, StringComparer.Ordinal),
        ];
    }

    private static ulong? ObjectOf(WaitFacts wait) => wait switch
    {
        { Handle: { } handle } => handle.Value,
        { Kind: WaitKind.Signal, Lock.Kind: LockKind.ManagedEvent or LockKind.SemaphoreSlim } => wait.Lock.Address.Value,
        { Kind: WaitKind.Pulse, Lock.Kind: LockKind.Monitor or LockKind.ManagedLock } => wait.Lock.Address.Value,
        _ => null,
    };

    // Of each item whose code ends waits: what it leads to.
    private IEnumerable<(string Method, HashSet<ulong> Objects)> Reached()
    {
        using IlModules modules = new();
        QueuedCode code = new(modules);
        foreach (ClrObject item in QueuedObjects.Items(runtime, context).Take(MostItems))
        {
            context.Step();
            if (code.Of(item) is { } calls)
            {
                string method = TaskObject.IsAwaitable(item) ? TaskObject.Method(item) ?? calls.Method : calls.Method;
                yield return (context.Limits.Cut(method)!, Reached(item, calls));
            }
        }
    }

    private HashSet<ulong> Reached(ClrObject item, QueuedCalls calls)
    {
        HashSet<ulong> seen = [];
        Queue<(ClrObject Object, int Steps)> open = new();
        IEnumerable<ClrObject> starts = calls.Statics.Select(field => Static(calls.Module, field.Type, field.Name)).Prepend(item);
        foreach (ClrObject start in starts.Where(start => !start.IsNull))
        {
            if (seen.Add(start.Address))
            {
                open.Enqueue((start, 0));
            }
        }

        while (open.TryDequeue(out (ClrObject Object, int Steps) next) && seen.Count < MostObjects)
        {
            if (next.Steps >= MostSteps || !(next.Object.Address == item.Address || IsFollowed(next.Object)))
            {
                continue;
            }

            foreach (ClrObject reference in next.Object.EnumerateReferences(carefully: true))
            {
                if (!reference.IsNull && seen.Add(reference.Address))
                {
                    open.Enqueue((reference, next.Steps + 1));
                }
            }
        }

        return seen;
    }

    // What the program's own objects have, and its delegates, tasks and collections. The rest of the framework leads everywhere.
    private static bool IsFollowed(ClrObject target)
        => target.Type?.Name is { } type
            && (target.IsDelegate || TaskObject.IsAwaitable(target) || !Frameworks.IsOwn(type) || SignalCalls.HasSignals(type));

    private ClrObject Static(ulong module, string type, string name)
    {
        if (!_statics.TryGetValue((module, type, name), out ClrObject found))
        {
            found = IlModules.StaticField(runtime, module, type, name) is { IsObjectReference: true } field
                ? runtime.AppDomains.Select(field.ReadObject).FirstOrDefault(value => !value.IsNull)
                : default;
            _statics.Add((module, type, name), found);
        }

        return found;
    }
}
