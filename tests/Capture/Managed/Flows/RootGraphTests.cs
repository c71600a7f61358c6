using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Tests.Capture.Managed.Flows;

public sealed class RootGraphTests
{
    private const int Holder = 1;
    private const int Code = 2;
    private const int Object = 3;
    private const int Waiter = 4;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Two_that_lead_to_one_together_do_so_when_both_have_a_root_whichever_comes_first(bool isHolderFirst)
    {
        RootGraph graph = new();
        graph.LinkBoth(Holder, Code, Object);
        graph.Link(Object, Waiter);

        graph.Root(isHolderFirst ? Holder : Code, isHolderFirst ? new RootOf(FlowRoot.Static) : new RootOf(FlowRoot.Timer));
        Assert.False(graph.IsRooted(Object));
        Assert.True(graph.LeadsToUnrooted(Holder));

        graph.Root(isHolderFirst ? Code : Holder, isHolderFirst ? new RootOf(FlowRoot.Timer) : new RootOf(FlowRoot.Static));
        Assert.Equal(FlowRoot.Timer, graph.RootOf(Waiter)?.Kind);
        Assert.False(graph.LeadsToUnrooted(Holder));
    }

    [Fact]
    public void Such_a_link_between_two_that_have_a_root_already_gives_it_at_once()
    {
        RootGraph graph = new();
        graph.Root(Holder, new RootOf(FlowRoot.Static));
        graph.Root(Code, new RootOf(FlowRoot.Timer));

        graph.LinkBoth(Holder, Code, Object);

        Assert.Equal(FlowRoot.Timer, graph.RootOf(Object)?.Kind);
    }

    [Fact]
    public void A_circle_of_code_that_waits_for_what_it_would_signal_has_no_root()
    {
        RootGraph graph = new();
        graph.LinkBoth(Holder, Code, Object);
        graph.Link(Object, Waiter);
        graph.Link(Waiter, Code);

        graph.Root(Holder, new RootOf(FlowRoot.Static));

        Assert.False(graph.IsRooted(Waiter));
    }
}
