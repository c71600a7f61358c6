using HangTriage.Capture.Managed.Outside;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>A task while its graph is being put together.</summary>
internal sealed class TaskNode(ClrObject target)
{
    // Most tasks have few needs; only some, as that of WhenAll, thousands.
    private const int FewNeeds = 8;

    private readonly List<TaskNeedFacts> _needs = [];
    private HashSet<(TaskNeedKind Kind, Address? Task, ThreadId? Thread)>? _known;

    public ClrObject Object { get; } = target;

    public TaskKind Kind { get; } = TaskObject.Kind(target);

    public bool IsCompleted { get; } = TaskObject.IsAwaitable(target) && TaskObject.IsCompleted(target);

    public IReadOnlyList<TaskNeedFacts> Needs => _needs;

    /// <summary>Task.WaitAsync: its timeout or its cancellation completes it as well as the task.</summary>
    public bool IsTimeLimited { get; } = target.Type?.Name?.Contains("+CancellationPromise", StringComparison.Ordinal) == true;

    /// <summary>Its own fields have been followed.</summary>
    public bool IsExpanded { get; set; }

    /// <summary>An async method that awaits nothing any more: the rest of it is queued somewhere, or runs.</summary>
    public bool IsReady { get; set; }

    /// <summary>One of its needs is enough.</summary>
    public bool NeedsAny { get; set; }

    /// <summary>All that it needs is known.</summary>
    public bool IsResolved
        => IsCompleted || (_needs.Count > 0 && !LacksParts && !(IsReady && _needs.All(need => need.Kind == TaskNeedKind.Task)));

    /// <summary>
    /// For a Task.WhenAll of .NET 8 and later, which does not know its parts: how many it still waits for. Null for any other.
    /// </summary>
    public int? Remaining => Kind == TaskKind.WhenAll ? WhenAllTask.Remaining(Object) : null;

    /// <summary>Fewer such parts are found than it still waits for.</summary>
    public bool LacksParts => _needs.Count < Remaining && _needs.All(need => need.Kind == TaskNeedKind.Task);

    public void Add(TaskNeedFacts need)
    {
        if (IsKnown(need))
        {
            return;
        }

        _needs.Add(need);
        if (_needs.Count > FewNeeds)
        {
            _known ??= [.. _needs.Select(Key)];
            _known.Add(Key(need));
        }
    }

    public TaskFacts Facts(int nameLength) => new()
    {
        Address = new Address(Object.Address),
        Id = TaskObject.Id(Object),
        Type = Object.Type?.Name is { } name
            ? Known.Read(name.Length > nameLength ? name[..nameLength] : name)
            : Known.Unknown<string>("type of the task", "its object is not in the input"),
        Kind = Kind,
        Method = TaskObject.Method(Object),
        Child = IsCompleted ? null : ChildReader.AwaitedBy(Object),
        RequestLimit = IsCompleted ? null : RequestLimit.Of(Object),
        State = TaskObject.State(Object),
        Needs = IsCompleted ? [] : _needs,
        NeedsAny = NeedsAny || Kind == TaskKind.WhenAny || IsTimeLimited,
    };

    private bool IsKnown(TaskNeedFacts need) => _known?.Contains(Key(need)) ?? _needs.Exists(known => Key(known) == Key(need));

    private static (TaskNeedKind Kind, Address? Task, ThreadId? Thread) Key(TaskNeedFacts need) => (need.Kind, need.Task, need.Thread);
}
