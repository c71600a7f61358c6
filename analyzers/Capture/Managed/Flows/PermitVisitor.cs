using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Gathers the limiters of how many work at once, with the permits that they have given and not got back.</summary>
/// <remarks>
/// System.Threading.RateLimiting 8 to 10, ConcurrencyLimiter.cs: _permitCount is what is left of the options' PermitLimit, _queue a Deque of
/// the requests that wait, each with its task, and the only way back of a permit is to dispose of its ConcurrencyLease.
/// </remarks>
internal sealed class PermitVisitor : IHeapVisitor
{
    /// <summary>What who has a permit has: disposing of it gives that back.</summary>
    public const string Lease = ResourceCalls.Limiter + "+ConcurrencyLease";
    private const int Most = 4_096;
    private const int MostWaiting = 65_536;

    private readonly ClrHeap _heap;
    private readonly List<ulong> _limiters = [];
    private readonly List<ulong> _leases = [];
    private readonly Lazy<Dictionary<ulong, ulong>> _limiterOf;

    private ClrInstanceField? _disposed;

    // There are more than are kept: some of those that were given are not known.
    private bool _isCut;

    public PermitVisitor(ClrHeap heap)
    {
        _heap = heap;
        _limiterOf = new(Waiting);
    }

    public bool Wants(ClrType type)
    {
        if (type.Name == Lease)
        {
            _disposed = type.GetFieldByName("_disposed");
        }

        return type.Name is ResourceCalls.Limiter or Lease;
    }

    public void Visit(HeapObject found)
    {
        bool isLease = found.Type.Name == Lease;
        if (isLease && IsDisposed(found))
        {
            return;
        }

        List<ulong> list = isLease ? _leases : _limiters;
        if (list.Count < Most)
        {
            list.Add(found.Address);
        }
        else
        {
            _isCut = true;
        }
    }

    /// <summary>The limiters in whose queues all of these tasks are, taken together; null where one of them is in none.</summary>
    public FlowPool? PoolOf(IEnumerable<ulong> tasks)
    {
        if (LimitersOf(tasks) is not { } limiters)
        {
            return null;
        }

        int used = 0;
        int most = 0;
        foreach (ClrObject limiter in limiters)
        {
            if (limiter.Number("_permitCount") is not { } left
                || limiter.Reference("_options").Number("<PermitLimit>k__BackingField") is not { } limit)
            {
                return null;
            }

            used += Math.Max(0, limit - left);
            most += Math.Max(0, limit);
        }

        return new FlowPool(ResourceCalls.Limiter, used, most, null);
    }

    /// <summary>The permits that these limiters have given and nobody has given back; null where they are not all known.</summary>
    public ulong[]? GivenTo(IEnumerable<ulong> tasks)
        => _isCut || LimitersOf(tasks) is not { } limiters ? null
            : [.. _leases.Where(lease => limiters.Contains(_heap.GetObject(lease).Reference("_limiter")))];

    private bool IsDisposed(HeapObject lease)
        => _disposed is { } field && field.Offset < lease.Fields.Length && lease.Fields[field.Offset] != 0;

    private HashSet<ClrObject>? LimitersOf(IEnumerable<ulong> tasks)
    {
        HashSet<ClrObject> found = [];
        foreach (ulong task in tasks)
        {
            if (!_limiterOf.Value.TryGetValue(task, out ulong limiter))
            {
                return null;
            }

            found.Add(_heap.GetObject(limiter));
        }

        return found.Count > 0 ? found : null;
    }

    private Dictionary<ulong, ulong> Waiting()
        => _limiters
            .SelectMany(limiter => _heap.GetObject(limiter).Reference("_queue").Reference("_array").Elements(MostWaiting)
                .Select(request => (Task: request.Reference("_task").Address, Limiter: limiter)))
            .Where(pair => pair.Task != 0)
            .DistinctBy(pair => pair.Task)
            .ToDictionary();
}
