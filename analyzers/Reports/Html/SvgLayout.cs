using HangTriage.Reports.Graph;

namespace HangTriage.Reports.Html;

/// <summary>
/// Puts boxes into rows: who waits stands above what it waits for. Arrows that lead back up go round the right side, those that lead
/// past a row round the left.
/// </summary>
internal sealed class SvgLayout
{
    private const int Gap = 24;
    private const int RowGap = 54;
    private const int MostInRow = 3;
    private const int Margin = 8;

    // For arrows that go round other boxes, and their words.
    private const int Side = 76;

    private readonly int[] _layers;
    private readonly SvgNode[] _nodes;

    public SvgLayout(WaitPicture picture)
    {
        HashSet<PictureEdge> back = BackEdges(picture);
        _layers = Layers(picture, back);
        int[][] rows = [.. Enumerable.Range(0, picture.Nodes.Count).GroupBy(index => _layers[index]).OrderBy(group => group.Key).SelectMany(group => group.Chunk(MostInRow))];
        _nodes = new SvgNode[picture.Nodes.Count];
        int widest = rows.Max(row => row.Length);
        int inner = (widest * SvgNode.Width) + ((widest - 1) * Gap);
        int top = Margin;
        foreach (int[] row in rows)
        {
            top += Place(picture, row, Margin + ((inner - (row.Length * SvgNode.Width) - ((row.Length - 1) * Gap)) / 2), top) + RowGap;
        }

        bool needsLeft = picture.Edges.Any(edge => IsRound(edge) && IsLeft(edge));
        if (needsLeft)
        {
            for (int i = 0; i < _nodes.Length; i++)
            {
                _nodes[i] = _nodes[i] with { Left = _nodes[i].Left + Side };
            }
        }

        Width = inner + (2 * Margin) + (needsLeft ? Side : 0) + (picture.Edges.Any(edge => IsRound(edge) && !IsLeft(edge)) ? Side : 0);
        Height = top - RowGap + Margin;
    }

    public IReadOnlyList<SvgNode> Nodes => _nodes;

    public int Width { get; }

    public int Height { get; }

    /// <summary>It goes round other boxes: back up, or down past a row.</summary>
    public bool IsRound(PictureEdge edge) => _nodes[edge.To].Top <= _nodes[edge.From].Top || _layers[edge.To] - _layers[edge.From] > 1;

    /// <summary>Of one that goes round: on the left side, where that is free at both ends and the right is not.</summary>
    public bool IsLeft(PictureEdge edge)
        => !HasNeighbour(edge.From, -1) && !HasNeighbour(edge.To, -1) && (HasNeighbour(edge.From, 1) || HasNeighbour(edge.To, 1) || _nodes[edge.To].Top > _nodes[edge.From].Top);

    /// <summary>Of one that goes round: how far out its middle lies, in pixels from the left.</summary>
    public int Outside(PictureEdge edge)
    {
        int upper = Math.Min(_nodes[edge.From].Top, _nodes[edge.To].Top);
        int lower = Math.Max(_nodes[edge.From].Top, _nodes[edge.To].Top);
        IEnumerable<SvgNode> passed = _nodes.Where(node => node.Top >= upper && node.Top <= lower);
        return IsLeft(edge) ? passed.Min(node => node.Left) - (Side / 2) : passed.Max(node => node.Right) + (Side / 2);
    }

    private bool HasNeighbour(int node, int side) => Array.Exists(_nodes, other => other.Top == _nodes[node].Top && Math.Sign(other.Left - _nodes[node].Left) == side);

    private int Place(WaitPicture picture, int[] row, int left, int top)
    {
        int height = 0;
        foreach (int index in row)
        {
            PictureNode node = picture.Nodes[index];
            SvgLine[] lines = [.. node.Lines.SelectMany((line, number) => SvgLine.Of(line, number == 0))];
            _nodes[index] = new SvgNode(node, lines, left, top);
            left += SvgNode.Width + Gap;
            height = Math.Max(height, _nodes[index].Height);
        }

        return height;
    }

    // Depth first, in the order of the nodes: an edge to a node that is still open leads back.
    private static HashSet<PictureEdge> BackEdges(WaitPicture picture)
    {
        ILookup<int, PictureEdge> from = picture.Edges.ToLookup(edge => edge.From);
        bool[] isSeen = new bool[picture.Nodes.Count];
        bool[] isOpen = new bool[picture.Nodes.Count];
        HashSet<PictureEdge> back = [];
        for (int start = 0; start < picture.Nodes.Count; start++)
        {
            Visit(start);
        }

        return back;

        // The picture is bounded, and so is the depth.
        void Visit(int node)
        {
            if (isSeen[node])
            {
                return;
            }

            isSeen[node] = isOpen[node] = true;
            foreach (PictureEdge edge in from[node])
            {
                if (isOpen[edge.To])
                {
                    back.Add(edge);
                }
                else
                {
                    Visit(edge.To);
                }
            }

            isOpen[node] = false;
        }
    }

    // Each node below all that lead to it; one to which nothing leads just above what it leads to.
    private static int[] Layers(WaitPicture picture, HashSet<PictureEdge> back)
    {
        int[] layers = new int[picture.Nodes.Count];
        bool hasMoved = true;
        for (int round = 0; hasMoved && round < picture.Nodes.Count; round++)
        {
            hasMoved = false;
            foreach (PictureEdge edge in picture.Edges.Where(edge => !back.Contains(edge) && layers[edge.To] <= layers[edge.From]))
            {
                layers[edge.To] = layers[edge.From] + 1;
                hasMoved = true;
            }
        }

        int[] placed = [.. layers];
        foreach (int node in Enumerable.Range(0, layers.Length).Where(node => picture.Edges.All(edge => edge.To != node || back.Contains(edge))))
        {
            int[] targets = [.. picture.Edges.Where(edge => edge.From == node && !back.Contains(edge)).Select(edge => layers[edge.To])];
            placed[node] = targets.Length > 0 ? targets.Min() - 1 : layers[node];
        }

        return placed;
    }
}
