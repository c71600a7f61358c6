using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>What continues when a task completes.</summary>
/// <param name="Target">The task or box that is told.</param>
/// <param name="Context">The synchronization context that has to run it; a null object where any thread may.</param>
internal readonly record struct Continuation(ClrObject Target, ClrObject Context)
{
    // As many as a task may have that is awaited by everything.
    private const int Most = 1_048_576;
    private const int Deepest = 8;
    private const int MostBases = 32;

    /// <summary>Follows Task.m_continuationObject through delegates, wrappers and lists to the tasks behind them.</summary>
    /// <param name="completer">The task or box.</param>
    /// <param name="damaged">Told of each object that cannot be read, and is passed over.</param>
    public static IEnumerable<Continuation> Of(ClrObject completer, Action<ulong>? damaged = null)
    {
        if (TaskObject.IsTask(completer))
        {
            return From(completer.Reference("m_continuationObject"), default, Deepest, damaged);
        }

        return TaskObject.IsPooledBox(completer)
            ? From(ValueTaskSource.ContinuationState(completer), AsContext(ValueTaskSource.Context(completer)), Deepest, damaged)
            : [];
    }

    /// <summary>The objects that block a thread until the task completes (SetOnInvokeMres, SetOnCountdownMres), and whatever else is told.</summary>
    public static IEnumerable<ClrObject> Entries(ClrObject task)
    {
        ClrObject entry = task.Reference("m_continuationObject");
        return entry.IsNull ? [] : IsList(entry) ? entry.Elements(Most) : [entry];
    }

    public static IEnumerable<Continuation> From(ClrObject entry, ClrObject context, int depth, Action<ulong>? damaged = null)
    {
        if (entry.IsNull || depth == 0)
        {
            return [];
        }

        if (entry.Type is null)
        {
            damaged?.Invoke(entry.Address);
            return [];
        }

        if (TaskObject.IsAwaitable(entry))
        {
            return [new Continuation(entry, context)];
        }

        if (IsList(entry))
        {
            return entry.Elements(Most).SelectMany(item => From(item, context, depth - 1, damaged));
        }

        if (entry.IsDelegate)
        {
            ClrObject target = entry.Reference("_target");
            // AsyncMethodBuilderCore.ContinuationWrapper stands between, where tracing is on.
            return From(TaskObject.IsAwaitable(target) ? target : target.Reference("_continuation"), context, depth - 1, damaged);
        }

        ClrObject own = AsContext(entry.Reference("m_syncContext", "m_scheduler"));
        ClrObject task = entry.Reference("m_task");
        return From(task.IsNull ? entry.Reference("m_action") : task, own.IsNull ? context : own, depth - 1, damaged);
    }

    // A scheduler made from a context posts to it; any other scheduler decides for itself.
    private static ClrObject AsContext(ClrObject target)
    {
        ClrObject context = target.Reference("m_synchronizationContext");
        return !context.IsNull ? context
            : target.Type?.Name?.Contains("SynchronizationContext", StringComparison.Ordinal) == true || DerivesFromContext(target.Type) ? target
            : default;
    }

    private static bool IsList(ClrObject target) => target.Has("_items") && target.Has("_size");

    internal static bool DerivesFromContext(ClrType? type)
        => type.WithBases(MostBases).Any(own => own.Name == "System.Threading.SynchronizationContext");
}
