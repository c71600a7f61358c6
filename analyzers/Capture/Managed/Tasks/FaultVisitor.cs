using HangTriage.Capture.Managed.Heap;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>
/// Gathers the work of tasks that has ended with an exception: the task says so for as long as it is on the heap. The type of an async
/// method's task says which method it was; of a delegate's, which forgets it, the stack of the exception does.
/// </summary>
internal sealed class FaultVisitor : IHeapVisitor
{
    private const int Most = 1_024;
    private const string Task = "System.Threading.Tasks.Task";

    private readonly Dictionary<ulong, (int Flags, bool IsBox)> _types = [];
    private readonly Dictionary<ulong, (string Type, ulong Task)> _boxes = [];
    private readonly List<ulong> _ofDelegates = [];

    public bool Wants(ClrType type)
    {
        bool isBox = type.Name is { } name && StateMachine.IsNameOfBox(name);
        if ((!isBox && type.Name != Task && type.Name?.StartsWith(Task + "<", StringComparison.Ordinal) != true)
            || type.GetFieldByName("m_stateFlags") is not { } flags)
        {
            return false;
        }

        _types[type.MethodTable] = (flags.Offset, isBox);
        return true;
    }

    public void Visit(HeapObject found)
    {
        (int offset, bool isBox) = _types[found.Type.MethodTable];
        int flags = found.ReadInt32(offset);
        if (!TaskObject.IsFaulted(flags))
        {
            return;
        }

        if (isBox && _boxes.Count < Most)
        {
            _boxes.TryAdd(found.Type.MethodTable, (found.Type.Name!, found.Address));
        }
        else if (!isBox && TaskObject.HasRun(flags) && _ofDelegates.Count < Most)
        {
            _ofDelegates.Add(found.Address);
        }
    }

    /// <summary>What has failed, each method once.</summary>
    public IReadOnlyList<FailedWork> Read(ClrHeap heap)
        =>
        [
            .. _boxes.Values.Select(found => OfBox(found.Type, heap.GetObject(found.Task)))
                .Concat(_ofDelegates.SelectMany(found => OfDelegate(heap.GetObject(found))))
                .OfType<FailedWork>().DistinctBy(work => work.FullName),
        ];

    private static FailedWork? OfBox(string type, ClrObject task)
        => StateMachine.MachineOfBox(type) is { } machine && StateMachine.MethodOfMachine(machine) is { } method
            ? new FailedWork($"{machine}.MoveNext", method, TaskObject.FaultOf(task).Type?.Name)
            : null;

    // From where it was thrown out to where the task began: the program's own are among these.
    private static IEnumerable<FailedWork> OfDelegate(ClrObject task)
    {
        ClrObject fault = TaskObject.FaultOf(task);
        return fault.AsException() is { } exception
            ? exception.StackTrace.Select(frame => frame.Method).OfType<ClrMethod>()
                .Where(method => method.Type?.Name is not null && method.Name is not null)
                .Select(method => $"{method.Type.Name}.{method.Name}")
                .Select(name => new FailedWork(name, name, fault.Type?.Name))
            : [];
    }
}
