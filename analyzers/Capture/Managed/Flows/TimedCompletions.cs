using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// What the callbacks of sources of cancellation tokens have in hand that a timer is to cancel: the promises that they complete. A token
/// that somebody has given to a library is seen in no variable of who waits; what the library has registered with it tells.
/// </summary>
/// <remarks>dotnet/runtime: CancellationTokenSource.cs (CallbackNode), the same in .NET 8 to 10.</remarks>
internal sealed class TimedCompletions
{
    private const string Task = "System.Threading.Tasks.Task";
    private const string Promise = "System.Threading.Tasks.TaskCompletionSource";
    private const int BaseTypes = 4;
    private const int MostNodes = 4_096;
    private const int Deepest = 8;

    // A closure, the promise's source that it has, and the promise.
    private const int MostSteps = 2;

    private readonly Dictionary<ulong, TimeSpan> _limits = [];
    private readonly CaptureContext _context;

    public TimedCompletions(ClrRuntime runtime, CaptureContext context)
    {
        _context = context;
        foreach (ClrObject timer in PendingTimers.Of(runtime, context))
        {
            if (timer.Reference("_state") is var source && TokenSources.Is(source.Type)
                && TokenSources.SetFor(source) is { } limit)
            {
                AddSource(source, limit, Deepest);
            }
        }
    }

    /// <summary>The shortest time that a timer was set for which ends it; null where none is seen to.</summary>
    /// <param name="address">A promise, an operation of a queue, or an object whose methods are told.</param>
    public TimeSpan? Of(ulong address) => _limits.TryGetValue(address, out TimeSpan limit) ? limit : null;

    /// <summary>Who is told: an Action that was registered is the state of a callback of .NET's own.</summary>
    public static ClrObject Told(ClrObject state) => state.Has("_methodPtr") ? state.Reference("_target") : state;

    /// <summary>A task that is no async method.</summary>
    public static bool IsPromise(ClrObject found)
        => !StateMachine.IsBox(found) && found.Type.WithBases(BaseTypes).Any(type => type.Name == Task);

    /// <summary>A TaskCompletionSource, or what derives from one.</summary>
    public static bool IsSourceOfPromise(ClrObject found)
        => found.Type.WithBases(BaseTypes).Any(type => type.Name?.StartsWith(Promise, StringComparison.Ordinal) == true);

    private void AddSource(ClrObject source, TimeSpan limit, int depth)
    {
        foreach (ClrObject node in depth == 0 ? [] : TokenSources.CallbacksOf(source).Take(MostNodes))
        {
            _context.Step();
            foreach (ClrObject told in new[] { Told(node.Reference("CallbackState")), Told(node.Reference("Callback")) })
            {
                if (TokenSources.Is(told.Type))
                {
                    AddSource(told, limit, depth - 1);
                }
                else if (!told.IsNull)
                {
                    Add(told, limit, MostSteps);
                }
            }
        }
    }

    private void Add(ClrObject told, TimeSpan limit, int steps)
    {
        if (_limits.TryGetValue(told.Address, out TimeSpan known) && known <= limit)
        {
            return;
        }

        _limits[told.Address] = limit;
        foreach (ClrObject next in steps == 0 ? [] : ObjectFields.ReferencesOf(told).Where(LeadsOn))
        {
            Add(next, limit, steps - 1);
        }
    }

    // What one that is told only knows besides, as its logger or its pool, it does not end.
    private static bool LeadsOn(ClrObject found)
        => FieldNames.IsOfClosure(found.Type) || IsPromise(found) || IsSourceOfPromise(found);
}
