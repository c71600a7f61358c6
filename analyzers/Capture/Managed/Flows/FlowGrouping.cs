namespace HangTriage.Capture.Managed.Flows;

/// <summary>Flows that are coalesced, while they are counted.</summary>
/// <param name="sample">The first of them.</param>
/// <param name="awaited">What that one waits for.</param>
internal sealed class FlowGrouping(FlowBox sample, Awaited awaited)
{
    private readonly HashSet<ulong> _objects = [];

    public FlowBox Sample => sample;

    public Awaited Awaited => awaited;

    public int Count { get; private set; }

    /// <summary>How many different objects they wait for.</summary>
    public int Objects => Math.Max(1, _objects.Count);

    public void Add(Awaited found)
    {
        Count++;
        _objects.Add(found.Address);
    }

    /// <summary>The groups, the largest first.</summary>
    /// <param name="flows">The suspended flows.</param>
    /// <param name="resolver">Says what they wait for.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static IReadOnlyList<FlowGrouping> Of(IReadOnlyList<FlowBox> flows, AwaitedResolver resolver, CaptureContext context)
    {
        Dictionary<(string, int, int, object), FlowGrouping> groups = [];
        int count = 0;
        foreach (FlowBox flow in flows)
        {
            if (count++ % 1_024 == 0)
            {
                context.Step();
            }

            Awaited awaited = resolver.Of(flow.Awaited);
            awaited = awaited.IsCompleted ? Awaited.Nothing : awaited;
            (string, int, int, object) key = (flow.Method!.Name, flow.Method.Machine.MetadataToken, flow.State, awaited.Identity);
            if (!groups.TryGetValue(key, out FlowGrouping? group))
            {
                groups.Add(key, group = new FlowGrouping(flow, awaited));
            }

            group.Add(awaited);
        }

        return [.. groups.Values.OrderByDescending(group => group.Count).ThenBy(group => group.Sample.Method!.Name, StringComparer.Ordinal).ThenBy(group => group.Sample.State)];
    }
}
