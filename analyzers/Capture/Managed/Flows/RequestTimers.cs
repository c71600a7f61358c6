using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Timers that fire once, and the promises that lead on from them over objects of the library that has set them. A library that gives each
/// request a timer of its own ends the request by it; one that watches over a connection has one timer for all requests.
/// </summary>
internal sealed class RequestTimers
{
    private const string Collections = "System.Collections.";
    private const uint Never = uint.MaxValue;
    private const int MostObjects = 512;

    private readonly CaptureContext _context;

    // Null where several timers lead to it.
    private readonly Dictionary<ulong, (ulong Timer, TimeSpan Limit)?> _promises = [];

    public RequestTimers(ClrRuntime runtime, CaptureContext context)
    {
        _context = context;
        foreach (ClrObject timer in PendingTimers.Of(runtime, context))
        {
            if (PendingTimers.Need(timer).SetFor is { } limit && (uint?)timer.Number("_period") is Never)
            {
                Follow(timer.Address, [.. Told(timer).Where(told => told.Type?.Module is { } home && home != runtime.BaseClassLibrary)], limit);
            }
        }
    }

    /// <summary>The longest time that one of the timers was set for, where each promise has one of its own; else null.</summary>
    /// <param name="promises">Of several requests.</param>
    public TimeSpan? Of(IReadOnlyCollection<ulong> promises)
    {
        (ulong Timer, TimeSpan Limit)?[] own = [.. promises.Select(promise => _promises.GetValueOrDefault(promise))];
        return own.Length > 1 && !own.Contains(null) && own.DistinctBy(timer => timer!.Value.Timer).Count() == own.Length
            ? own.Max(timer => timer!.Value.Limit) : null;
    }

    private static IEnumerable<ClrObject> Told(ClrObject timer)
        => new[] { TimedCompletions.Told(timer.Reference("_state")), TimedCompletions.Told(timer.Reference("_timerCallback")) }
            .Where(told => !told.IsNull);

    private void Follow(ulong timer, ClrObject[] told, TimeSpan limit)
    {
        HashSet<ClrModule?> homes = [.. told.Select(first => first.Type!.Module)];
        HashSet<ulong> seen = [.. told.Select(first => first.Address)];
        Queue<ClrObject> open = new(told);
        while (open.TryDequeue(out ClrObject next) && seen.Count < MostObjects)
        {
            _context.Step();
            foreach (ClrObject found in next.EnumerateReferences().Where(found => seen.Add(found.Address)))
            {
                if (TimedCompletions.IsPromise(found))
                {
                    _promises[found.Address] = _promises.ContainsKey(found.Address) ? null : (timer, limit);
                }

                if (found.Type is { } type && (homes.Contains(type.Module) || Keeps(type) || TimedCompletions.IsSourceOfPromise(found)))
                {
                    open.Enqueue(found);
                }
            }
        }
    }

    // Collections, and delegates, which lead to what they are called on.
    private static bool Keeps(ClrType type)
        => type.IsArray || FieldNames.IsOfClosure(type) || type.GetFieldByName("_methodPtr") is not null
            || type.Name?.StartsWith(Collections, StringComparison.Ordinal) == true;
}
