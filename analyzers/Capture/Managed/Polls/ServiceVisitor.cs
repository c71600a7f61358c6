using HangTriage.Capture.Managed.Heap;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Polls;

/// <summary>
/// Gathers the background services of a host (Microsoft.Extensions.Hosting): it calls what such a service does once, at its start, and the
/// service has the task from then on.
/// </summary>
internal sealed class ServiceVisitor : IHeapVisitor
{
    private const int MostBases = 16;
    private const int MostServices = 1_024;

    private static readonly string[] s_tasks = ["_executeTask", "_executingTask"];

    private readonly Dictionary<ulong, int> _offsets = [];
    private readonly Dictionary<ulong, (ClrType Type, bool IsStarted)> _types = [];
    private readonly List<(ClrType Type, ulong Task)> _started = [];

    public bool Wants(ClrType type)
    {
        if (!StackObjects.Is(type, HostCalls.Service)
            || Array.Find(s_tasks, name => type.GetFieldByName(name) is not null) is not { } field)
        {
            return false;
        }

        _offsets[type.MethodTable] = type.GetFieldByName(field)!.Offset;
        return true;
    }

    public void Visit(HeapObject found)
    {
        ulong task = found.ReadPointer(_offsets[found.Type.MethodTable]);
        bool isStarted = task != 0;
        if (isStarted && _started.Count < MostServices)
        {
            _started.Add((found.Type, task));
        }

        bool wereStarted = !_types.TryGetValue(found.Type.MethodTable, out (ClrType Type, bool IsStarted) others) || others.IsStarted;
        _types[found.Type.MethodTable] = (found.Type, isStarted && wereStarted);
    }

    /// <summary>What the services do, where all that there are of the type have been started: nobody calls it again.</summary>
    public IEnumerable<ClrMethod> Started()
        => _types.Values
            .Where(found => found.IsStarted)
            .Select(found => WorkOf(found.Type))
            .OfType<ClrMethod>();

    /// <summary>The services whose work has ended.</summary>
    public IReadOnlyList<EndedServiceFacts> Ended(ClrHeap heap)
        =>
        [
            .. _started.Select(service => (Work: WorkOf(service.Type), Task: heap.GetObject(service.Task)))
                .Where(service => service.Work is not null)
                .Select(service => (Work: service.Work!, service.Task, State: TaskObject.State(service.Task)))
                .Where(service => service.State.Is(state => state is TaskState.RanToCompletion or TaskState.Canceled or TaskState.Faulted))
                .Select(service => new EndedServiceFacts
                {
                    Method = $"{service.Work.Type.Name}.{HostCalls.Work}",
                    Task = new Address(service.Task.Address),
                    HasFailed = service.State.Is(state => state == TaskState.Faulted),
                    Exception = TaskObject.FaultOf(service.Task).Type?.Name,
                }),
        ];

    private static ClrMethod? WorkOf(ClrType type)
        => Bases(type).SelectMany(parent => parent.Methods).FirstOrDefault(method => method.Name == HostCalls.Work);

    private static IEnumerable<ClrType> Bases(ClrType type)
    {
        int count = 0;
        for (ClrType? parent = type; parent is not null && count < MostBases; parent = parent.BaseType, count++)
        {
            yield return parent;
        }
    }
}
