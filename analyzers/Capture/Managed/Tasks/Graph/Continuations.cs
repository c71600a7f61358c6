using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>What continues behind each task; of one that several await it is read once, since its list can be long.</summary>
internal sealed class Continuations
{
    private readonly Dictionary<ulong, ILookup<ulong, Continuation>> _ofMany = [];

    /// <summary>The continuations of a completer that lead to the task.</summary>
    public IEnumerable<Continuation> Between(ClrObject completer, ulong task)
    {
        if (!_ofMany.TryGetValue(completer.Address, out ILookup<ulong, Continuation>? known))
        {
            Continuation[] all = [.. Continuation.Of(completer)];
            if (all.Length <= 1)
            {
                return all.Where(next => next.Target.Address == task);
            }

            known = all.ToLookup(next => next.Target.Address);
            _ofMany.Add(completer.Address, known);
        }

        return known[task];
    }
}
