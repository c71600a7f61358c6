namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Flows that refer to each other, through what they await: a task refers to who awaits it and is referred to by it, so that
/// all of a component are alive or none.
/// </summary>
internal sealed class FlowComponents
{
    private readonly int[] _parents;
    private readonly Dictionary<ulong, int> _owners = [];

    public FlowComponents(IReadOnlyList<FlowBox> flows, AwaitedResolver resolver)
    {
        _parents = new int[flows.Count];
        for (int flow = 0; flow < flows.Count; flow++)
        {
            _parents[flow] = flow;
        }

        for (int flow = 0; flow < flows.Count; flow++)
        {
            FlowBox box = flows[flow];
            foreach (ulong member in (ReadOnlySpan<ulong>)[box.Address, box.Machine, box.Awaited, box.Continuation, resolver.Of(box.Awaited).Address])
            {
                Join(flow, member);
            }
        }
    }

    /// <summary>The objects that belong to components.</summary>
    public IReadOnlyCollection<ulong> Members => _owners.Keys;

    /// <summary>The component of a flow, as the number of one of its flows.</summary>
    public int Of(int flow)
    {
        while (_parents[flow] != flow)
        {
            // Halves the way for those who come after.
            _parents[flow] = _parents[_parents[flow]];
            flow = _parents[flow];
        }

        return flow;
    }

    /// <summary>The component that an object belongs to; null for one of none.</summary>
    public int? OfMember(ulong address) => _owners.TryGetValue(address, out int flow) ? Of(flow) : null;

    private void Join(int flow, ulong member)
    {
        if (member == 0)
        {
            return;
        }

        if (_owners.TryGetValue(member, out int other))
        {
            _parents[Of(flow)] = Of(other);
        }
        else
        {
            _owners.Add(member, flow);
        }
    }
}
