using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Tests.Unit.Rules;

public sealed class WaitGraphTests
{
    [Fact]
    public void A_cycle_is_found_once_and_its_tail_is_upstream()
    {
        WaitGraph graph = Graph((1, 2), (2, 3), (3, 1), (4, 1), (5, 4));

        IReadOnlyList<WaitNode> cycle = Assert.Single(graph.Cycles());
        Assert.Equal(new uint[] { 1, 2, 3 }, Ids(cycle).Order());
        Assert.Equal([4u, 5], Ids(graph.UpstreamOf(cycle)));
    }

    [Fact]
    public void A_diamond_is_no_cycle()
        => Assert.Empty(Graph((1, 2), (1, 3), (2, 4), (3, 4)).Cycles());

    [Fact]
    public void Two_cycles_are_two_findings()
        => Assert.Equal(2, Graph((1, 2), (2, 1), (3, 4), (4, 3), (5, 3)).Cycles().Count);

    [Fact]
    public void A_node_that_waits_for_itself_is_a_cycle_and_one_that_does_not_is_none()
    {
        Assert.Single(Graph((1, 1)).Cycles());
        Assert.Empty(Graph((1, 2)).Cycles());
    }

    [Fact]
    public void A_chain_of_a_hundred_thousand_nodes_does_not_exhaust_the_stack()
    {
        const uint Last = 100_000;
        IEnumerable<(uint, uint)> chain = Enumerable.Range(1, (int)Last).Select(i => ((uint)i, (uint)i == Last ? 1u : (uint)i + 1));

        Assert.Equal((int)Last, Assert.Single(Graph([.. chain]).Cycles()).Count);
    }

    [Fact]
    public void Cycles_agree_with_mutual_reachability_on_random_graphs()
    {
        Random random = new(20260102);
        for (int round = 0; round < 500; round++)
        {
            uint nodes = (uint)random.Next(2, 9);
            (uint, uint)[] edges =
            [
                .. Enumerable.Range(0, random.Next(1, 14)).Select(_ => ((uint)random.Next((int)nodes), (uint)random.Next((int)nodes))),
            ];
            IEnumerable<string> expected = Enumerable.Range(0, (int)nodes)
                .Select(node => (uint)node)
                .Where(node => Reaches(edges, node, node))
                .Select(node => string.Join(',', Enumerable.Range(0, (int)nodes).Where(other => other == node
                    || (Reaches(edges, node, (uint)other) && Reaches(edges, (uint)other, node)))))
                .Distinct();

            IEnumerable<string> actual = Graph(edges).Cycles().Select(cycle => string.Join(',', Ids(cycle).Order()));

            Assert.Equal(expected.Order(), actual.Order());
        }
    }

    private static bool Reaches((uint From, uint To)[] edges, uint from, uint to)
    {
        HashSet<uint> reached = [];
        Queue<uint> queue = new([from]);
        while (queue.TryDequeue(out uint node))
        {
            foreach ((uint _, uint next) in edges.Where(edge => edge.From == node))
            {
                if (reached.Add(next))
                {
                    queue.Enqueue(next);
                }
            }
        }

        return reached.Contains(to);
    }

    private static WaitGraph Graph(params (uint From, uint To)[] edges)
        => new(edges.Select(edge => new WaitEdge(Node(edge.From), Node(edge.To), EdgeKind.WaitsFor, Trust.Read, "test")));

    private static WaitNode Node(uint id) => WaitNode.Of(new ThreadId(id));

    private static IEnumerable<uint> Ids(IEnumerable<WaitNode> nodes) => nodes.Select(node => node.Thread!.Value.Value);
}
