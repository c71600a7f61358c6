using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>What continues behind each task, read once a task: one that is awaited by thousands has a list as long.</summary>
internal sealed class Continuations
{
    private readonly Dictionary<ulong, ILookup<ulong, Continuation>> _byTarget = [];

    /// <summary>Those that lead to the task.</summary>
    public IEnumerable<Continuation> Between(ClrObject completer, ulong task)
    {
        if (!_byTarget.TryGetValue(completer.Address, out ILookup<ulong, Continuation>? known))
        {
            known = Continuation.Of(completer).ToLookup(next => next.Target.Address);
            _byTarget.Add(completer.Address, known);
        }

        return known[task];
    }
}
