using System.Globalization;
using System.Text;
using HangTriage.Facts;
using HangTriage.Reports.Graph;

namespace HangTriage.Reports.Html;

/// <summary>Draws a picture as SVG inside a page; boxes of threads link to their stacks.</summary>
internal static class SvgGraph
{
    public static string Of(WaitPicture picture)
    {
        SvgLayout layout = new(picture);
        StringBuilder svg = new();
        svg.Append(CultureInfo.InvariantCulture, $"<svg role=\"img\" aria-label=\"Graph of who waits for whom\" width=\"{layout.Width}\" height=\"{layout.Height}\" viewBox=\"0 0 {layout.Width} {layout.Height}\">\n");
        svg.Append("<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n");
        foreach (PictureEdge edge in picture.Edges)
        {
            AppendArrow(svg, layout, edge);
        }

        foreach (SvgNode node in layout.Nodes)
        {
            AppendNode(svg, node);
        }

        // Behind the boxes, so that no line covers them.
        foreach (PictureEdge edge in picture.Edges)
        {
            (int x, int y) = Label(layout, edge);
            svg.Append(CultureInfo.InvariantCulture, $"<text class=\"edge\" x=\"{x}\" y=\"{y}\">{HtmlText.Escape(PictureLines.Line(edge.Text))}</text>\n");
        }

        return svg.Append("</svg>").ToString();
    }

    private static void AppendArrow(StringBuilder svg, SvgLayout layout, PictureEdge edge)
    {
        SvgNode from = layout.Nodes[edge.From];
        SvgNode to = layout.Nodes[edge.To];
        string style = edge.IsIndirect ? " class=\"indirect\"" : string.Empty;
        string path = layout.IsRound(edge) ? Round(layout, edge) : Down(from, to);
        svg.Append(CultureInfo.InvariantCulture, $"<path{style} d=\"{path}\" marker-end=\"url(#arrow)\"/>\n");
    }

    private static string Down(SvgNode from, SvgNode to)
    {
        int half = (to.Top - from.Bottom) / 2;
        return string.Create(CultureInfo.InvariantCulture, $"M{from.Middle} {from.Bottom} C{from.Middle} {from.Bottom + half} {to.Middle} {to.Top - half} {to.Middle} {to.Top}");
    }

    private static string Round(SvgLayout layout, PictureEdge edge)
    {
        (SvgNode from, SvgNode to) = (layout.Nodes[edge.From], layout.Nodes[edge.To]);
        (int start, int end) = layout.IsLeft(edge) ? (from.Left, to.Left) : (from.Right, to.Right);
        (int startY, int endY) = (from.Top + (from.Height / 2), to.Top + (to.Height / 2));
        int outside = layout.Outside(edge);
        return string.Create(CultureInfo.InvariantCulture, $"M{start} {startY} C{Control(start)} {startY} {Control(end)} {endY} {end} {endY}");

        // The middle of such a curve is three quarters of the way from its ends to its control points.
        int Control(int side) => side + ((outside - side) * 4 / 3);
    }

    private static (int X, int Y) Label(SvgLayout layout, PictureEdge edge)
    {
        (SvgNode from, SvgNode to) = (layout.Nodes[edge.From], layout.Nodes[edge.To]);
        return layout.IsRound(edge)
            ? (layout.Outside(edge), (from.Top + to.Bottom) / 2)
            : ((from.Middle + to.Middle) / 2, ((from.Bottom + to.Top) / 2) + 4);
    }

    private static void AppendNode(StringBuilder svg, SvgNode node)
    {
        string kind = node.Node.Kind.ToString().ToLowerInvariant() + (node.Node.IsCulprit ? " culprit" : string.Empty);
        if (node.Node.Thread is { } thread)
        {
            svg.Append(CultureInfo.InvariantCulture, $"<a href=\"#{HtmlPage.Anchor(thread)}\">");
        }

        svg.Append(CultureInfo.InvariantCulture, $"<g class=\"{kind}\"><rect x=\"{node.Left}\" y=\"{node.Top}\" width=\"{SvgNode.Width}\" height=\"{node.Height}\" rx=\"8\"/>");
        foreach ((SvgLine line, int index) in node.Lines.Select((line, index) => (line, index)))
        {
            svg.Append(CultureInfo.InvariantCulture, $"<text{(line.IsName ? " class=\"name\"" : string.Empty)} x=\"{node.Middle}\" y=\"{node.Baseline(index)}\">{HtmlText.Escape(line.Text)}</text>");
        }

        svg.Append(node.Node.Thread is null ? "</g>\n" : "</g></a>\n");
    }
}
