namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>The tasks that cannot complete before a given one does.</summary>
/// <param name="by">The tasks that need each task.</param>
internal sealed class TasksBehind(ILookup<ulong, ulong> by)
{
    // Of all searches together: where thousands of tasks each have thousands behind them, the rest is not told apart.
    private int _left = 4_194_304;

    /// <summary>Their addresses, and the tasks' own; null where there are too many to follow.</summary>
    public HashSet<ulong>? Of(IEnumerable<ulong> tasks)
    {
        HashSet<ulong> found = [.. tasks];
        Queue<ulong> open = new(found);
        while (open.TryDequeue(out ulong address))
        {
            foreach (ulong next in by[address].Where(found.Add))
            {
                if (--_left < 0)
                {
                    return null;
                }

                open.Enqueue(next);
            }
        }

        return found;
    }
}
