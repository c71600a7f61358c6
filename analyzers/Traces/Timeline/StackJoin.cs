namespace HangTriage.Traces.Timeline;

/// <summary>
/// Joins stacks with the events that they belong to: a stack is an event of its own, which names its event's time and thread
/// and comes soon after it, the kernel's part first.
/// </summary>
internal sealed class StackJoin(StackTree tree)
{
    /// <summary>Events that wait for their stacks at once. Windows writes a stack within a few events; the program's part once the thread is back in it.</summary>
    private const int MostOpen = 16 * 1024;

    private readonly Dictionary<(long Time, uint Tid), Open> _open = [];
    private readonly Queue<(long Time, uint Tid)> _order = new();

    public long Walks { get; private set; }

    public long Joined { get; private set; }

    /// <summary>Asks for the stack of an event.</summary>
    /// <param name="time">The event's, in the trace's own clock.</param>
    /// <param name="tid">The thread whose stack it is.</param>
    /// <param name="take">Gets it once, empty where the trace has none.</param>
    public void Ask(long time, uint tid, Action<StackRef> take)
    {
        if (_order.Count >= MostOpen)
        {
            Close(_order.Dequeue());
        }

        if (_open.TryGetValue((time, tid), out Open? open))
        {
            open.Takers.Add(take);
            return;
        }

        _open.Add((time, tid), new Open(take));
        _order.Enqueue((time, tid));
    }

    public void Walk(long time, uint tid, ReadOnlySpan<ulong> frames)
    {
        Walks++;
        if (_open.TryGetValue((time, tid), out Open? open))
        {
            Joined++;
            open.Frames.AddRange(frames);
        }
    }

    public void Key(long time, uint tid, ulong key, bool isKernel)
    {
        tree.Refer(key);
        if (_open.TryGetValue((time, tid), out Open? open))
        {
            open.Keys = isKernel ? open.Keys with { KernelKey = key } : open.Keys with { UserKey = key };
        }
    }

    public void CloseAll()
    {
        while (_order.TryDequeue(out (long Time, uint Tid) key))
        {
            Close(key);
        }
    }

    private void Close((long Time, uint Tid) key)
    {
        if (_open.Remove(key, out Open? open))
        {
            StackRef stack = open.Keys with { Node = tree.Add(System.Runtime.InteropServices.CollectionsMarshal.AsSpan(open.Frames)) };
            foreach (Action<StackRef> take in open.Takers)
            {
                take(stack);
            }
        }
    }

    private sealed class Open(Action<StackRef> take)
    {
        public List<Action<StackRef>> Takers { get; } = [take];

        public List<ulong> Frames { get; } = [];

        public StackRef Keys { get; set; }
    }
}
