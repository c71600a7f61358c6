using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Loops that wait for what nobody brings, over time; and those that try again for each other's locks.</summary>
internal static class PollCases
{
    private const string Wait = "Shop.Cache.Wait";

    private static readonly string[] s_sleeps = ["System.Threading.Thread.Sleep", Wait, "Shop.Program.Main"];
    private static readonly string[] s_tries = ["System.Threading.Monitor.TryEnter_Slowpath", "Shop.Polite.Go"];

    public static IEnumerable<(string Name, Case Case)> All()
        =>
        [
            ("a flag that nobody sets, its thread has moved", Moved(PollTraits.HasExit)),
            ("a spin lock that nobody gives back, its thread has moved", Moved(PollTraits.HasExit | PollTraits.TakesLock)),
            ("a spin lock that its holder tries for again", TakenTwice()),
            ("two that try again for each other's locks", Moment.Alone(SnapshotBuilder.Linux, (builder, moment) => Livelock(builder, moment))),
        ];

    private static Case Moved(PollTraits traits)
        => Moment.Both(SnapshotBuilder.Linux, (builder, moment) => builder
            .Thread(1, moment.Thread(), moment.At(s_sleeps, hasMoved: true))
            .Polls(SnapshotBuilder.PollOf(Wait, "Shop.Cache._loaded") with { Thread = new ThreadId(1), Traits = traits }));

    private static Case TakenTwice()
    {
        PollFacts poll = SnapshotBuilder.PollOf(Wait, "Shop.Cache._taken");
        return Case.Of(SnapshotBuilder.Linux().Thread(1, s_sleeps).Polls(poll with
        {
            Thread = new ThreadId(1),
            Traits = PollTraits.HasExit | PollTraits.TakesLock,
            Bringers = poll.Bringers!.Select(
                bringers => bringers with { Holders = [new PollHolder(new ThreadId(1), "Shop.Cache.Fill")] }),
        }).Build());
    }

    private static SnapshotBuilder Livelock(SnapshotBuilder builder, Moment moment)
        => Tries(Tries(builder.Lock(SnapshotBuilder.Monitor(0x1000), 1).Lock(SnapshotBuilder.Monitor(0x2000), 2), moment, 1, 0x2000), moment, 2, 0x1000);

    private static SnapshotBuilder Tries(SnapshotBuilder builder, Moment moment, uint thread, ulong monitor)
        => builder.Thread(thread, moment.Thread(), s_tries)
            .Waits(thread, SnapshotBuilder.Monitor(monitor), timeout: TimeSpan.FromMilliseconds(10))
            .Polls(SnapshotBuilder.PollOf("Shop.Polite.Go", "Shop.Polite._gate") with
            {
                Thread = new ThreadId(thread),
                Traits = PollTraits.HasExit | PollTraits.TakesLock | PollTraits.GivesBack,
                Bringers = null,
            });
}
