using HangTriage.Reports.Graph;
using HangTriage.Reports.Html;
using HangTriage.Reports.Markdown;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Reports;

public sealed class WaitPictureTests
{
    [Fact]
    public void A_circle_is_drawn_once_round_and_closes()
    {
        WaitPicture picture = Picture(SampleResults.Deadlock());

        Assert.Equal(4, picture.Nodes.Count);
        Assert.Equal([(0, 1), (1, 2), (2, 3), (3, 0)], picture.Edges.Select(edge => (edge.From, edge.To)));
        Assert.True(picture.Nodes[0].IsCulprit);
    }

    [Fact]
    public void A_crowd_is_one_box_that_counts_it_and_leads_to_the_culprit()
    {
        WaitPicture picture = Picture(Crowded.StarvedService(300));

        PictureNode crowd = Assert.Single(picture.Nodes, node => node.Kind == PictureNodeKind.Crowd);
        Assert.Equal("300 threads \".NET TP Worker\"", crowd.Lines[0]);
        Assert.Equal("in Shop.PriceController.Get(Int32)", crowd.Lines[1]);
        PictureEdge waits = Assert.Single(picture.Edges, edge => picture.Nodes[edge.From] == crowd);
        Assert.Equal("async method Prices.FetchAsync", picture.Nodes[waits.To].Lines[0]);
        PictureEdge needs = Assert.Single(picture.Edges, edge => edge.From == waits.To);
        Assert.Equal("needs a worker of", needs.Text);
        Assert.True(picture.Nodes[needs.To] is { Kind: PictureNodeKind.Pool, IsCulprit: true });
    }

    [Fact]
    public void Of_a_long_circle_the_beginning_is_drawn_and_the_rest_is_counted_and_closes_it()
    {
        WaitPicture picture = Picture(Crowded.Circle(100));

        Assert.InRange(picture.Nodes.Count, 10, 30);
        int more = picture.Nodes.ToList().FindIndex(node => node.Kind == PictureNodeKind.More);
        Assert.Equal("and 178 more steps", picture.Nodes[more].Lines[0]);
        Assert.Equal(0, Assert.Single(picture.Edges, edge => edge.From == more).To);
    }

    [Fact]
    public void Nobody_who_waits_for_nobody_is_drawn() => Assert.Null(WaitPictureBuilder.Of(SampleResults.NotHung()));

    [Fact]
    public void Boxes_do_not_cover_each_other_and_stand_inside_the_picture()
    {
        foreach (TriageResult result in new[] { SampleResults.Deadlock(), SampleResults.Spinner(), Crowded.StarvedService(300), Crowded.Circle(100), Crowded.Everything(60, 0) })
        {
            SvgLayout layout = new(Picture(result));
            Assert.All(layout.Nodes, node => Assert.True(node.Left >= 0 && node.Top >= 0 && node.Right <= layout.Width && node.Bottom <= layout.Height));
            Assert.All(
                layout.Nodes.SelectMany((node, index) => layout.Nodes.Skip(index + 1).Select(other => (node, other))),
                pair => Assert.True(pair.node.Right < pair.other.Left || pair.other.Right < pair.node.Left || pair.node.Bottom < pair.other.Top || pair.other.Bottom < pair.node.Top));
        }
    }

    [Theory]
    [InlineData("a\"b]c`d#e;f|g\u202eh\ni", "a#34;b#93;c#96;d#35;e#59;f#124;g#8726;u202eh#8726;ni")]
    [InlineData("1. x", "1#46; x")]
    public void A_label_of_Mermaid_holds_letters_and_numbers_alone(string text, string expected) => Assert.Equal(expected, Mermaid.Escape(text));

    private static WaitPicture Picture(TriageResult result) => WaitPictureBuilder.Of(result)!;
}
