using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about loops that wait.</content>
public sealed partial record PageExample
{
    private static bool ApplyPoll(SnapshotBuilder builder, string line)
    {
        if (PollLine().Match(line) is not { Success: true } poll)
        {
            return false;
        }

        string who = poll.Groups["who"].Value;
        PollFacts facts = SnapshotBuilder.PollOf(poll.Groups["method"].Value, poll.Groups["field"].Value, who.StartsWith("0x", StringComparison.Ordinal) ? [Id(poll, "who")] : []) with
        {
            Traits = PollTraits.HasExit | (poll.Groups["how"].Value == "tries for" ? PollTraits.TakesLock : PollTraits.None),
        };
        bool isFlow = poll.Groups["what"].Value == "async ";
        builder.Polls(facts with
        {
            Thread = isFlow ? null : new ThreadId(Id(poll, "id")),
            Flow = isFlow ? new Address(Id(poll, "id")) : null,
            Bringers = facts.Bringers!.Select(bringers => bringers with
            {
                IsByFlow = who == "an async method",
                IsByDelegate = who is "a delegate" or "a timer",
                IsByCallback = who == "a timer",
            }),
        });
        return true;
    }

    [GeneratedRegex("""^(?<what>async |)(?<id>0x\w+) (?<how>tries for|looks at) (?<field>\S+) in a loop of (?<method>\S+), which (?<who>0x\w+|nobody|an async method|a delegate|a timer) can change$""")]
    private static partial Regex PollLine();
}
