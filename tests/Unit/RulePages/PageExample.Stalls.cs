using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about what the runtime itself makes threads wait for.</content>
public sealed partial record PageExample
{
    private static bool ApplyStall(SnapshotBuilder builder, string line)
    {
        if (RunLine().Match(line) is { Success: true } run)
        {
            builder.Lock(Stall(run), Id(run, "owner"), run.Groups["name"].Value);
        }
        else if (StallWaitLine().Match(line) is { Success: true } wait)
        {
            builder.Waits(Id(wait, "id"), Stall(wait), trust: Trust.Derived);
        }
        else if (EventLine().Match(line) is { Success: true } signal)
        {
            builder.Waits(Id(signal, "id"), new LockId(LockKind.Event, new Address(Id(signal, "address"))), signal.Groups["timeout"].Success ? Seconds(signal, "timeout") : null, WaitKind.Signal);
        }
        else if (FinalizerLine().Match(line) is { Success: true } finalizer)
        {
            builder.Finalizer(Id(finalizer, "id"), uint.Parse(finalizer.Groups["queued"].Value, CultureInfo.InvariantCulture));
        }
        else if (CollectionLine().Match(line) is { Success: true } collection)
        {
            builder.AwaitsCollection(Id(collection, "id"), collection.Groups["type"].Value, collection.Groups["how"].Value == "unloaded", Keeper(collection));
        }
        else
        {
            return false;
        }

        return true;
    }

    private static KeeperFacts? Keeper(Match match) => match.Groups["kind"].Value switch
    {
        "static field" => new KeeperFacts { By = FlowRoot.Static, Name = match.Groups["name"].Value, Path = [] },
        "thread" => new KeeperFacts { By = FlowRoot.Thread, Thread = new ThreadId(Id(match, "keeper")), Path = [] },
        "handle" => new KeeperFacts { By = FlowRoot.GcHandle, Path = [] },
        _ => null,
    };

    private static LockId Stall(Match match) => match.Groups["kind"].Value switch
    {
        "static constructor" => new LockId(LockKind.StaticConstructor, new Address(Id(match, "address"))),
        "call to context" => new LockId(LockKind.ContextCall, new Address(Id(match, "address"))),
        "callback" => new LockId(LockKind.Callback, new Address(Id(match, "address"))),
        "exit handlers" => new LockId(LockKind.ExitHandlers, new Address(0xf200)),
        "finalizers" => new LockId(LockKind.Finalizers, new Address(0xf000)),
        _ => new LockId(LockKind.Suspension, new Address(0xf100)),
    };

    [GeneratedRegex("""^(?<kind>static constructor|callback|call to context|finalizers|exit handlers|collection)(?: (?<address>0x\w+) (?<name>\S+))? (?:run|held up) by (?<owner>0x\w+)$""")]
    private static partial Regex RunLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for (?<kind>static constructor|callback|call to context|finalizers|exit handlers|collection)(?: (?<address>0x\w+))?$""")]
    private static partial Regex StallWaitLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for event (?<address>0x\w+)(?: for (?<timeout>[\d.]+) s)?$""")]
    private static partial Regex EventLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits until (?<type>\S+) is (?<how>unloaded|collected)(?:, which (?:a (?<kind>handle)|(?<kind>static field) (?<name>\S+)|(?<kind>thread) (?<keeper>0x\w+)) keeps)?$""")]
    private static partial Regex CollectionLine();

    [GeneratedRegex("""^finalizer thread (?<id>0x\w+) with (?<queued>\d+) objects to finalize$""")]
    private static partial Regex FinalizerLine();
}
