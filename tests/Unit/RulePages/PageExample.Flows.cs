using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about suspended async methods.</content>
public sealed partial record PageExample
{
    private static readonly Address s_channel = new(0xc4a0);

    private static bool ApplyFlow(SnapshotBuilder builder, string line)
    {
        if (ReaderLine().Match(line) is { Success: true } reader)
        {
            builder.ReadsQueue(new QueueReaderFacts { Queue = s_channel, Flow = new Address(Id(reader, "id")), Method = reader.Groups["method"].Value });
            return true;
        }

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
        : flow.Groups["pool"].Success ? new FlowWait
        {
            Kind = FlowWaitKind.Task,
            Type = flow.Groups["pool"].Value == ResourceCalls.Limiter
                ? "System.Threading.Tasks.Task<System.Threading.RateLimiting.RateLimitLease>"
                : "System.Threading.Tasks.Task<System.Net.Http.HttpConnection>",
            Pool = new FlowPool(flow.Groups["pool"].Value, (int)Number(flow, "used"), (int)Number(flow, "all"), (int)Number(flow, "working"))
            {
                Kept = flow.Groups["kept"].Success ? (int)Number(flow, "kept") : null,
                LentToWaiters = flow.Groups["lent"].Success ? (int)Number(flow, "lent") : null,
            },
        }
        : flow.Groups["peer"].Success ? new FlowWait
        {
            Kind = FlowWaitKind.InputOutput,
            Socket = SnapshotBuilder.Socket(flow.Groups["peer"].Value),
            Via = flow.Groups["via"].Success ? flow.Groups["via"].Value : null,
        }
        : flow.Groups["room"].Success ? new FlowWait
        {
            Kind = FlowWaitKind.Channel,
            Label = flow.Groups["room"].Value,
            Address = s_channel,
            Queue = new FlowQueue(FlowQueueEnd.Writer, 4, 4, IsClosed: false),
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

    [GeneratedRegex("""^async (?<id>0x\w+) (?<method>\S+) empties the channel$""")]
    private static partial Regex ReaderLine();

    [GeneratedRegex("""^async (?<id>0x\w+) (?<method>\S+) x (?<count>\d+) waits for (?:semaphore (?<label>\S+) with (?<left>\d+) of (?<most>\d+) left|a (?:connection|permit) of (?<pool>\S+) with (?<used>\d+) of (?<all>\d+) taken and (?<working>\d+) working(?: and (?<kept>\d+) kept)?(?: and (?<lent>\d+) lent to those who wait)?|an answer of (?<peer>\S+:\d+)(?: through (?<via>\w[^\s,]+))?|room in channel (?<room>[^\s,]+)|channel (?<channel>[^\s,]+)|(?<delay>a delay)|(?<other>\S+Async)|a promise)(?:, awaited by (?<by>.+))?$""")]
    private static partial Regex FlowLine();
}
