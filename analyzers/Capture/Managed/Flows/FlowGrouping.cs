using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>Flows that are coalesced, while they are counted.</summary>
/// <param name="sample">The first of them.</param>
/// <param name="awaited">What that one waits for.</param>
/// <param name="root">What keeps that one alive.</param>
internal sealed class FlowGrouping(FlowBox sample, Awaited awaited, RootOf root)
{
    private const int MostFlows = 64;

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
    /// <param name="chains">Who awaits whom.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    public static IReadOnlyList<FlowGrouping> Of(
        IReadOnlyList<FlowBox> flows, IReadOnlyList<RootOf?> roots, AwaitedResolver resolver, FlowChains chains, CaptureContext context)
    {
        Dictionary<(string, int, int, object, string?), FlowGrouping> groups = [];
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
            Awaited awaited = resolver.Of(flow);
            awaited = awaited.IsCompleted ? Awaited.Nothing : awaited;
            (string, int, int, object, string?) key =
                (flow.Method!.Name, flow.Method.Machine.MetadataToken, flow.State, awaited.Identity, CallerOf(flow, awaited, chains));
            if (!groups.TryGetValue(key, out FlowGrouping? group))
            {
                groups.Add(key, group = new FlowGrouping(flow, awaited, root));
            }

            group.Add(flow, awaited);
        }

        return Ordered(groups.Values);
    }

    // Clients and a server in one process read by the same methods of .NET, and differ by who has called these.
    private static string? CallerOf(FlowBox flow, Awaited awaited, FlowChains chains)
        => awaited.Kind != FlowWaitKind.InputOutput || !Frameworks.IsOwn(flow.Method!.Name) ? null
            : chains.Above(flow.Address).Take(MostFlows).Select(above => above.Method!.Name).FirstOrDefault(name => !Frameworks.IsOwn(name));

    private static FlowGrouping[] Ordered(IEnumerable<FlowGrouping> groups)
        =>
        [
            .. groups.OrderByDescending(group => group.Count)
                .ThenBy(group => group.Sample.Method!.Name, StringComparer.Ordinal)
                .ThenBy(group => group.Sample.State),
        ];
}
