using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about suspended async methods.</content>
public sealed partial record PageExample
{
    private static bool ApplyFlow(SnapshotBuilder builder, string line)
    {
        if (FlowLine().Match(line) is not { Success: true } flow)
        {
            return false;
        }

        builder.Flow(new FlowGroup
        {
            Method = flow.Groups["method"].Value,
            Await = 0,
            Count = int.Parse(flow.Groups["count"].Value, CultureInfo.InvariantCulture),
            State = FlowState.Suspended,
            Waits = Wait(flow),
            AwaitedBy = flow.Groups["by"].Success ? flow.Groups["by"].Value.Split(" < ") : [],
            Root = FlowRoot.Unknown,
            Sample = new Address(Id(flow, "id")),
        });
        return true;
    }

    private static FlowWait Wait(Match flow) => flow.Groups["label"].Success
        ? new FlowWait
        {
            Kind = FlowWaitKind.Semaphore,
            Label = flow.Groups["label"].Value,
            Address = new Address(0x5e00),
            Entries = new SemaphoreEntries(uint.Parse(flow.Groups["left"].Value, CultureInfo.InvariantCulture), uint.Parse(flow.Groups["most"].Value, CultureInfo.InvariantCulture)),
        }
        : flow.Groups["channel"].Success ? new FlowWait
        {
            Kind = FlowWaitKind.Channel,
            Label = flow.Groups["channel"].Value,
            Address = new Address(0x5f00),
            Queue = new FlowQueue(FlowQueueEnd.Reader, 0, null, false),
        }
        : flow.Groups["delay"].Success ? new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true }
        : flow.Groups["other"].Success ? new FlowWait { Kind = FlowWaitKind.AsyncMethod, Label = flow.Groups["other"].Value }
        : new FlowWait { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [GeneratedRegex("""^async (?<id>0x\w+) (?<method>\S+) x (?<count>\d+) waits for (?:semaphore (?<label>\S+) with (?<left>\d+) of (?<most>\d+) left|channel (?<channel>\S+)|(?<delay>a delay)|(?<other>\S+Async)|a promise)(?:, awaited by (?<by>.+))?$""")]
    private static partial Regex FlowLine();
}
