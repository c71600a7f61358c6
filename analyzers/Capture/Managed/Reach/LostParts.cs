using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The <see cref="WhenAllTask"/>s that wait for more parts than are left. A promise that nobody refers to any more is collected, and with
/// it goes the last trace of why such a task never completes.
/// </summary>
internal sealed class LostParts
{
    private readonly Dictionary<ulong, int> _missing = [];
    private readonly HashSet<ulong> _unsure = [];

    /// <summary>To be called for each object that is waited for, before the heap is searched.</summary>
    public void Expect(ClrObject task)
    {
        if (WhenAllTask.Remaining(task) is { } remaining)
        {
            _missing.TryAdd(task.Address, remaining);
        }
    }

    /// <summary>To be called for each object in the heap that refers to one that is waited for.</summary>
    /// <param name="referrer">The object.</param>
    /// <param name="task">What it refers to.</param>
    /// <param name="isStatics">It is an array of static fields.</param>
    public void Note(ClrObject referrer, ulong task, bool isStatics)
    {
        if (!_missing.TryGetValue(task, out int missing))
        {
            return;
        }

        if (TaskObject.IsAwaitable(referrer))
        {
            // One task can be several of the parts.
            int parts = TaskObject.IsCompleted(referrer) ? 0 : Continuation.Of(referrer).Count(next => next.Target.Address == task);
            _missing[task] = missing - parts;
        }
        else if (!isStatics && (WhenAllTask.IsList(referrer) || WhenAllTask.IsTeller(referrer)))
        {
            _unsure.Add(task);
        }
    }

    /// <summary>How many parts of the task are gone; 0 where none is, and where that is not sure.</summary>
    public int Of(ulong task) => _unsure.Contains(task) ? 0 : Math.Max(0, _missing.GetValueOrDefault(task));
}
