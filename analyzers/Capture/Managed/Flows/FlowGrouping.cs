namespace HangTriage.Capture.Managed.Flows;

/// <summary>Flows that are coalesced, while they are counted.</summary>
/// <param name="sample">The first of them.</param>
/// <param name="awaited">What that one waits for.</param>
/// <param name="root">What keeps that one alive.</param>
internal sealed class FlowGrouping(FlowBox sample, Awaited awaited, RootOf root)
{
    private readonly HashSet<ulong> _objects = [];
    private readonly HashSet<ulong> _tokens = [];
    private readonly List<ulong> _boxes = [];

    public FlowBox Sample => sample;

    public Awaited Awaited => awaited;

    public RootOf Root => root;

    public int Count { get; private set; }

    /// <summary>The boxes of all of them.</summary>
    public IReadOnlyList<ulong> Boxes => _boxes;

    /// <summary>What they wait for: each object once.</summary>
    public IReadOnlyCollection<ulong> AwaitedObjects => _objects;

    /// <summary>The nodes of their registrations with sources of cancellation tokens.</summary>
    public IReadOnlyCollection<ulong> Tokens => _tokens;

    /// <summary>How many different objects they wait for.</summary>
    public int Objects => Math.Max(1, _objects.Count);

    public void Add(FlowBox flow, Awaited found)
    {
        Count++;
        _boxes.Add(flow.Address);
        _objects.Add(found.Address);
        if (found.HasToken)
        {
            _tokens.Add(found.Token);
        }
    }

    /// <summary>The groups, the largest first.</summary>
    /// <param name="flows">The suspended flows.</param>
    /// <param name="roots">What keeps each of them alive; those with null are left out.</param>
    /// <param name="resolver">Says what they wait for.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static IReadOnlyList<FlowGrouping> Of(IReadOnlyList<FlowBox> flows, IReadOnlyList<RootOf?> roots, AwaitedResolver resolver, CaptureContext context)
    {
        Dictionary<(string, int, int, object), FlowGrouping> groups = [];
        for (int index = 0; index < flows.Count; index++)
        {
            if (index % 1_024 == 0)
            {
                context.Step();
            }

            if (roots[index] is not { } root)
            {
                continue;
            }

            FlowBox flow = flows[index];
            Awaited awaited = resolver.Of(flow.Awaited);
            awaited = awaited.IsCompleted ? Awaited.Nothing : awaited;
            (string, int, int, object) key = (flow.Method!.Name, flow.Method.Machine.MetadataToken, flow.State, awaited.Identity);
            if (!groups.TryGetValue(key, out FlowGrouping? group))
            {
                groups.Add(key, group = new FlowGrouping(flow, awaited, root));
            }

            group.Add(flow, awaited);
        }

        return [.. groups.Values.OrderByDescending(group => group.Count).ThenBy(group => group.Sample.Method!.Name, StringComparer.Ordinal).ThenBy(group => group.Sample.State)];
    }
}
