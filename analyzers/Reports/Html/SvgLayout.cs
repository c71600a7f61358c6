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
    private const int Side = 90;

    private readonly int[] _rows;

    public SvgLayout(WaitPicture picture)
    {
        HashSet<PictureEdge> back = BackEdges(picture);
        int[] layers = Layers(picture, back);
        _rows = layers;
        int[][] rows = [.. Enumerable.Range(0, picture.Nodes.Count).GroupBy(index => layers[index]).OrderBy(group => group.Key).SelectMany(group => group.Chunk(MostInRow))];
        SvgNode[] nodes = new SvgNode[picture.Nodes.Count];
        int widest = rows.Max(row => row.Length);
        int inner = (widest * SvgNode.Width) + ((widest - 1) * Gap);
        int begin = Margin + (picture.Edges.Any(edge => !back.Contains(edge) && layers[edge.To] - layers[edge.From] > 1) ? Side : 0);
        int top = Margin;
        foreach (int[] row in rows)
        {
            int left = begin + ((inner - (row.Length * SvgNode.Width) - ((row.Length - 1) * Gap)) / 2);
            int height = 0;
            foreach (int index in row)
            {
                PictureNode node = picture.Nodes[index];
                SvgLine[] lines = [.. node.Lines.SelectMany((line, number) => SvgLine.Of(line, number == 0))];
                nodes[index] = new SvgNode(node, lines, left, top);
                left += SvgNode.Width + Gap;
                height = Math.Max(height, nodes[index].Height);
            }

            top += height + RowGap;
        }

        Nodes = nodes;
        Width = begin + inner + Margin + (picture.Edges.Any(edge => !LeadsDown(edge)) ? Side : 0);
        Height = top - RowGap + Margin;
    }

    public IReadOnlyList<SvgNode> Nodes { get; }

    public int Width { get; }

    public int Height { get; }

    public bool LeadsDown(PictureEdge edge) => Nodes[edge.To].Top > Nodes[edge.From].Top;

    /// <summary>It leads down past other boxes, and goes round their left side.</summary>
    public bool IsLong(PictureEdge edge) => _rows[edge.To] - _rows[edge.From] > 1;

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
