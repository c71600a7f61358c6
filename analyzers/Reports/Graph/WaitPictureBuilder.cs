using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Graph;

/// <summary>Draws the verdict: its chain first, then the groups of those that wait for it.</summary>
internal sealed class WaitPictureBuilder
{
    // More boxes than this are no picture any more; Mermaid lays out some hundred.
    private const int MostOfChain = 24;
    private const int MostCrowds = 8;
    private const string Waits = "waits for";

    private readonly TriageResult _result;
    private readonly Verdict _verdict;
    private readonly Dictionary<ThreadId, ThreadAssessment> _threads;
    private readonly List<PictureNode> _nodes = [];
    private readonly List<Party?> _parties = [];
    private readonly List<PictureEdge> _edges = [];

    private WaitPictureBuilder(TriageResult result)
    {
        _result = result;
        _verdict = result.Verdict;
        _threads = result.Threads.DistinctBy(thread => thread.Thread.OsId).ToDictionary(thread => thread.Thread.OsId);
    }

    /// <summary>Null where nobody is known to wait for anybody.</summary>
    public static WaitPicture? Of(TriageResult result)
    {
        WaitPictureBuilder builder = new(result);
        builder.AddChain();
        string? omitted = builder.AddVictims();
        return builder._edges.Count == 0 ? null : new WaitPicture(builder._nodes, builder._edges) { Omitted = omitted };
    }

    private void AddChain()
    {
        IReadOnlyList<ChainLink> chain = _verdict.Chain;
        int shown = chain.Count > MostOfChain ? MostOfChain - 2 : chain.Count;
        foreach (ChainLink link in chain.Take(shown))
        {
            AddEdge(NodeOf(link.From), NodeOf(link.To), link.Edge);
        }

        if (shown < chain.Count)
        {
            int last = NodeOf(chain[shown - 1].To);
            int more = Add(new PictureNode(PictureNodeKind.More, [string.Create(CultureInfo.InvariantCulture, $"and {chain.Count - shown} more steps")]), null);
            _edges.Add(new PictureEdge(last, more, Waits) { IsIndirect = true });
            _edges.Add(new PictureEdge(more, NodeOf(chain[^1].To), Waits) { IsIndirect = true });
        }
    }

    // Those that the chain shows already are left out.
    private string? AddVictims()
    {
        IEnumerable<Party> waiting = _verdict.Chain.Count == 0 && _verdict.Culprit is { Kind: PartyKind.Task } flow && !_verdict.Victims.Any(flow.IsSame) ? _verdict.Victims.Append(flow) : _verdict.Victims;
        Party[] victims = [.. waiting.Where(victim => FindNode(victim) < 0)];
        PictureCrowd[] crowds = [.. PictureCrowd.Of(victims, _threads, _result).OrderByDescending(crowd => crowd.Count)];
        (PictureCrowd Crowd, int Node)[] drawn = [.. crowds.Take(MostCrowds).Select(crowd => (crowd, Add(crowd.Node, crowd.Party)))];
        foreach ((PictureCrowd crowd, int node) in drawn)
        {
            AddWait(crowd, node);
        }

        int left = crowds.Skip(MostCrowds).Sum(crowd => crowd.Count);
        return left == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{Count.Of(crowds.Length - MostCrowds, "group")} of waiters ({left} in all)");
    }

    private void AddWait(PictureCrowd crowd, int from)
    {
        int known = crowd.Target is { } target ? FindTarget(target) : -1;
        if (known >= 0)
        {
            AddEdge(from, known, Waits);
            return;
        }

        int owner = crowd.Target?.Owner is { } id ? _parties.FindIndex(party => party?.Thread == id) : -1;
        int end = _verdict.Culprit is { } culprit && NodeOf(culprit) is var node && node != from ? node : -1;
        if (crowd.TargetLabel is { } label)
        {
            int what = FindPlain(label);
            what = what >= 0 ? what : Add(new PictureNode(crowd.Target is { Kind: WaitTargetKind.Lock } ? PictureNodeKind.Lock : PictureNodeKind.Task, [label]), null);
            AddEdge(from, what, Waits);
            AddEdge(what, owner >= 0 ? owner : end, owner >= 0 ? "is held by" : end >= 0 && _nodes[end].Kind == PictureNodeKind.Pool ? "needs a worker of" : "depends on");
        }
        else
        {
            AddEdge(from, end, Waits);
        }
    }

    private int FindTarget(WaitTarget target)
        => _parties.FindIndex(party => party is not null
            && ((target.Address is { } address && (party.Lock?.Address == address || party.Task == address)) || (party.Thread is { } thread && target.Kind == WaitTargetKind.Thread && target.Owner == thread)));

    private int FindPlain(string label) => _nodes.FindIndex(node => node.Kind is PictureNodeKind.Lock or PictureNodeKind.Task && node.Lines[0] == label);

    private int FindNode(Party party) => _parties.FindIndex(known => known is not null && known.IsSame(party));

    private int NodeOf(Party party)
    {
        int known = FindNode(party);
        return known >= 0 ? known : Add(
            new PictureNode(KindOf(party.Kind), PictureLines.Of(party, party.Thread is { } id ? _threads.GetValueOrDefault(id) : null))
            {
                Thread = party.Thread,
                IsCulprit = _verdict.Culprit is { } culprit && culprit.IsSame(party),
            },
            party);
    }

    private int Add(PictureNode node, Party? party)
    {
        _nodes.Add(node);
        _parties.Add(party);
        return _nodes.Count - 1;
    }

    private void AddEdge(int from, int to, string text)
    {
        if (to >= 0 && from != to && !_edges.Exists(edge => edge.From == from && edge.To == to))
        {
            _edges.Add(new PictureEdge(from, to, text));
        }
    }

    private static PictureNodeKind KindOf(PartyKind kind) => kind switch
    {
        PartyKind.Thread => PictureNodeKind.Thread,
        PartyKind.Lock => PictureNodeKind.Lock,
        PartyKind.Pool => PictureNodeKind.Pool,
        _ => PictureNodeKind.Task,
    };
}
