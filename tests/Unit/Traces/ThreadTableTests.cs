using HangTriage.Facts;
using HangTriage.Traces;
using HangTriage.Traces.Timeline;

namespace HangTriage.Tests.Unit.Traces;

public sealed class ThreadTableTests
{
    [Theory]
    [InlineData(TraceThreadState.Ended, true)]
    [InlineData(TraceThreadState.Waiting, false)]
    public void An_id_whose_thread_has_ended_stands_for_another_thread(TraceThreadState state, bool isAnother)
    {
        ThreadTable table = new(new TraceLimits());
        ThreadLine first = table.Start(7, now: 10)!;
        first.State = state;

        ThreadLine now = table.Live(7, now: 20)!;

        Assert.Equal(isAnother, now != first);
        Assert.Equal(isAnother ? 20 : 10, now.From);
        Assert.Same(now, table.Find(7));
        Assert.Equal(isAnother ? 2 : 1, table.All.Count);
    }
}
