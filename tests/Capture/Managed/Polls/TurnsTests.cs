using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed.Polls;

/// <summary>What threads look for that sleep in a loop: in some it has come since.</summary>
public sealed class TurnsTests
{
    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_loop_whose_next_look_ends_it_is_no_wait(TargetFramework framework, bool isOptimised)
    {
        ProcessSnapshot snapshot = Cores.Read(await Cores.TargetAsync("Turns", framework, isOptimised));
        PollFacts[] polls = [.. snapshot.Managed!.Value.Polls!.Value.Where(poll => poll.Thread is not null)];

        Assert.Equal(
            ["unclear-number", "unclear-one", "waits-both", "waits-either", "waits-method", "waits-stage"],
            polls.Select(NameOf).Where(name => name.Contains('-', StringComparison.Ordinal)).Order(StringComparer.Ordinal));
        Assert.All(polls, poll => Assert.Equal(NameOf(poll).StartsWith("unclear-", StringComparison.Ordinal), poll.MayHaveCome));

        string NameOf(PollFacts poll) => snapshot.Threads.Value.Single(thread => thread.OsId == poll.Thread).Name.Value;
    }
}
