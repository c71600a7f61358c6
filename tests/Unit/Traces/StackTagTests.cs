using HangTriage.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Traces;
using HangTriage.Traces.Tags;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>What stacks mean.</summary>
public sealed class StackTagTests
{
    [Theory]
    [InlineData("a: deep", "a")]
    [InlineData("a: deep\nb: above", "a")]
    [InlineData("b: above\na: deep", "a")]
    [InlineData("b: above", "b")]
    [InlineData("a [1]: deep\nb [2]: above", "b")]
    [InlineData("a [2]: deep\nb [2]: above", "a")]
    [InlineData("a [-1]: deep\nb [0]: above", "b")]
    [InlineData("a: deep\nb: deep", "a")]
    [InlineData("a [1]: deep\nb [2]: deep", "b")]
    [InlineData("# a: deep\n\n b : above ", "b")]
    [InlineData("a: dee", null)]
    public void The_first_match_from_the_deepest_frame_wins_unless_another_has_priority(string lines, string? tag)
        => Assert.Equal(tag, Of(lines).Of(["deep", "above"]));

    [Theory]
    [InlineData("App.Cart.Add", "App.Cart.Add", true)]
    [InlineData("app.CART.add", "App.Cart.Add", true)]
    [InlineData("App.*", "App.Cart.Add", true)]
    [InlineData("*Cart*", "App.Cart.Add", true)]
    [InlineData("*.Add", "App.Cart.Add", true)]
    [InlineData("App*Cart*Add", "App.Cart.Add", true)]
    [InlineData("App*Add*Cart*", "App.Cart.Add", false)]
    [InlineData("App", "App.Cart.Add", false)]
    [InlineData("*Cart", "App.Cart.Add", false)]
    [InlineData("aba*bab", "abab", false)]
    public void A_star_stands_for_anything(string pattern, string frame, bool fits)
        => Assert.Equal(fits ? "x" : null, Of($"x: {pattern}").Of([frame]));

    [Theory]
    [InlineData("a: b\nno tag", "line 2: expected 'NAME: PATTERN' or 'NAME [PRIORITY]: PATTERN'")]
    [InlineData("a:", "line 1: expected")]
    [InlineData(": b", "line 1: expected")]
    [InlineData("a [x]: b", "line 1: expected")]
    [InlineData("[1]: b", "line 1: expected")]
    public void A_line_that_is_no_tag_is_named(string lines, string message)
        => Assert.StartsWith(message, Assert.Throws<FormatException>(() => Of(lines)).Message, StringComparison.Ordinal);

    [Fact]
    public void What_is_built_in_tells_the_cause_before_the_mechanism_and_the_users_word_before_both()
    {
        string[] stack = ["System.Threading.Monitor.Wait", "System.Net.Sockets.Socket.Receive", "Microsoft.Data.SqlClient.SqlCommand.ExecuteReader", "App.Orders.Load"];

        Assert.Equal("waiting for SQL", StackTags.BuiltIn().Of(stack));
        Assert.Equal("lock of .NET", StackTags.BuiltIn().Of(stack[..1]));
        Assert.Equal("loads orders", Of("loads orders: App.Orders.*").Of(stack));
        Assert.Null(StackTags.BuiltIn().Of(["App.Orders.Load"]));
    }

    [Fact]
    public void Waits_of_a_trace_and_who_ended_them_have_their_tags()
    {
        TraceWait wait = EtlFile.Read(AntivirusTrace.Build()).Thread(AntivirusTrace.GitThread).LongestWait!;

        Assert.Equal(("file system filter", "antivirus filter"), (wait.Tag, wait.By.Value.Tag));
    }

    [Fact]
    public void Samples_are_counted_by_tag()
    {
        TraceContext context = TraceContext.Default with { Tags = Of("reads: KERNELBASE.dll+0x500\nmenu: broker.exe+0x2*") };

        TraceThread thread = EtlFile.Read(TinyReadsTrace.Build(calls: 10, bytes: 100).Build(), context).Thread(TinyReadsTrace.Thread);

        Assert.Equal([new TraceTag("reads", TinyReadsTrace.SamplesInReads), new TraceTag("menu", TinyReadsTrace.Samples - TinyReadsTrace.SamplesInReads)], thread.Tags);
    }

    private static StackTags Of(string lines)
    {
        using StringReader text = new(lines);
        return StackTags.Parse(text);
    }
}
