using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>What keeps objects by itself: stacks, static fields and handles.</summary>
internal sealed class KeeperRoots
{
    private const int HandleLimit = 1_000_000;

    private readonly RuntimeRoots _roots;
    private readonly StaticHolders _statics;
    private readonly HashSet<ulong> _handles = [];
    private readonly List<(ulong Value, ulong Key)> _dependents = [];

    public KeeperRoots(ClrRuntime runtime, RuntimeRoots roots, CaptureContext context)
    {
        _roots = roots;
        _statics = new StaticHolders(runtime, context);
        foreach (RuntimeHandle handle in HandleTables.Read(runtime).Take(HandleLimit))
        {
            context.Step();
            if (handle.Kind == ClrHandleKind.Dependent)
            {
                _dependents.Add((handle.Dependent.Address, handle.Object.Address));
            }
            else if (handle.IsStrong)
            {
                _handles.Add(handle.Object.Address);
            }
        }
    }

    /// <summary>For a value of a ConditionalWeakTable the key that keeps it.</summary>
    public IEnumerable<ulong> KeysOf(ulong value) => _dependents.Where(pair => pair.Value == value).Select(pair => pair.Key);

    /// <summary>The thread that runs a method of the context's.</summary>
    public KeeperFacts? RunnerOf(LoadContext unloading)
    {
        foreach (ThreadStack stack in _roots.Stacks)
        {
            if (stack.Frames.FirstOrDefault(frame => unloading.Has(frame.Method?.Type)) is { } frame)
            {
                return new KeeperFacts { By = FlowRoot.Thread, Thread = new ThreadId(stack.Thread.OSThreadId), Name = ManagedStack.MethodName(frame.Method), Path = [] };
            }
        }

        return null;
    }

    /// <summary>Null for an object that is kept by others alone.</summary>
    /// <param name="found">The object.</param>
    /// <param name="kept">What it leads to, which the static field may hold.</param>
    /// <param name="ownHandle">It is the context, which the runtime's own handle keeps.</param>
    public KeeperFacts? Of(ClrObject found, ulong kept, bool ownHandle)
        => _roots.Stacks.FirstOrDefault(stack => stack.Roots.Contains(found.Address)) is { } stack && !IsStatics(found)
                ? new KeeperFacts { By = FlowRoot.Thread, Thread = new ThreadId(stack.Thread.OSThreadId), Path = [] }
            : IsStatics(found) ? new KeeperFacts { By = FlowRoot.Static, Name = _statics.FieldTo(kept), Path = [] }
            : !ownHandle && !IsOfRuntime(found.Type?.Name) && _handles.Contains(found.Address) ? new KeeperFacts { By = FlowRoot.GcHandle, Path = [] }
            : null;

    // The runtime has handles of its own to the objects that stand for types and members; they go with the type. Seen on .NET 10.
    private static bool IsOfRuntime(string? type) => type == "System.RuntimeType" || type?.StartsWith("System.Reflection.", StringComparison.Ordinal) == true;

    private bool IsStatics(ClrObject found) => found.Type?.Name == "System.Object[]" && _handles.Contains(found.Address);
}
