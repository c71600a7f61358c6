namespace HangTriage.Traces.Timeline;

/// <summary>All stacks of a trace, each frame once under the frame that called it, and the stacks that keys name.</summary>
internal sealed class StackTree(TraceLimits limits)
{
    private readonly Dictionary<(int Caller, ulong Ip), int> _nodes = [];
    private readonly List<(int Caller, ulong Ip)> _frames = [(0, 0)];
    private readonly Dictionary<ulong, long> _references = [];
    private readonly Dictionary<ulong, int> _keys = [];

    /// <summary>Stacks or keys that found no room.</summary>
    public long Dropped { get; private set; }

    public long References { get; private set; }

    public long Resolved => _references.Where(pair => _keys.ContainsKey(pair.Key)).Sum(pair => pair.Value);

    /// <summary>The node of a stack; 0 where it is empty or finds no room.</summary>
    /// <param name="frames">Innermost first.</param>
    public int Add(ReadOnlySpan<ulong> frames)
    {
        int node = 0;
        for (int i = Math.Min(frames.Length, limits.FramesPerStack) - 1; i >= 0; i--)
        {
            if (!_nodes.TryGetValue((node, frames[i]), out int child))
            {
                if (_frames.Count >= limits.StackNodes)
                {
                    Dropped++;
                    return node;
                }

                child = _frames.Count;
                _frames.Add((node, frames[i]));
                _nodes.Add((node, frames[i]), child);
            }

            node = child;
        }

        return node;
    }

    public void Refer(ulong key)
    {
        References++;
        if (_references.TryGetValue(key, out long count))
        {
            _references[key] = count + 1;
        }
        else if (_references.Count < limits.StackKeys)
        {
            _references.Add(key, 1);
        }
        else
        {
            Dropped++;
        }
    }

    /// <summary>A key's frames, which come after the events that refer to it; of keys that nothing refers to they are not kept.</summary>
    public void Define(ulong key, ReadOnlySpan<ulong> frames)
    {
        if (_references.ContainsKey(key))
        {
            _keys[key] = Add(frames);
        }
    }

    /// <summary>The frames of a stack, innermost first; a key without frames gives none.</summary>
    public IReadOnlyList<ulong> Frames(StackRef stack)
    {
        List<ulong> frames = [];
        AddKey(stack.KernelKey, frames);
        AddKey(stack.UserKey, frames);
        AddNode(stack.Node, frames);
        return frames;
    }

    private void AddKey(ulong key, List<ulong> frames)
    {
        if (key != 0 && _keys.TryGetValue(key, out int node))
        {
            AddNode(node, frames);
        }
    }

    private void AddNode(int node, List<ulong> frames)
    {
        for (int at = node; at != 0; at = _frames[at].Caller)
        {
            frames.Add(_frames[at].Ip);
        }
    }
}
