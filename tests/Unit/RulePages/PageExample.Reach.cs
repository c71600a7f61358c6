using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about who can still end waits.</content>
public sealed partial record PageExample
{
    private static bool ApplyReach(SnapshotBuilder builder, string line)
    {
        if (SignalLine().Match(line) is { Success: true } signal)
        {
            builder.WaitsForSignal(Id(signal, "id"), Id(signal, "address"), signal.Groups["name"].Value);
        }
        else if (LostLine().Match(line) is { Success: true } lost)
        {
            ReachHolder[] holders = [.. lost.Groups["by"].Value.Split(", ").Where(by => by != "nobody").Select(Holder)];
            _ = lost.Groups["what"].Value == "thread" ? builder.Lost(Id(lost, "id"), holders) : builder.LostFlow(Id(lost, "id"), holders);
        }
        else if (RunningLine().Match(line) is { Success: true } running)
        {
            builder.Running(running.Groups["what"].Value);
        }
        else
        {
            return false;
        }

        return true;
    }

    private static ReachHolder Holder(string text)
    {
        Match holder = HolderText().Match(text);
        return !holder.Success ? throw new FormatException($"not a holder: {text}")
            : holder.Groups["what"].Value == "thread" ? new ReachHolder { Thread = new ThreadId(Id(holder, "id")) }
            : new ReachHolder
            {
                Flow = new Address(Id(holder, "id")),
                Method = holder.Groups["method"].Value,
                Await = holder.Groups["await"].Success ? int.Parse(holder.Groups["await"].Value, CultureInfo.InvariantCulture) : 0,
            };
    }

    [GeneratedRegex("""^thread (?<id>0x\w+) waits for signal (?<address>0x\w+) (?<name>\S+)$""")]
    private static partial Regex SignalLine();

    [GeneratedRegex("""^what (?<what>thread|async) (?<id>0x\w+) waits for is in reach of (?<by>.+)$""")]
    private static partial Regex LostLine();

    [GeneratedRegex("""^(?<what>.+) runs$""")]
    private static partial Regex RunningLine();

    [GeneratedRegex("""^(?<what>thread|async) (?<id>0x\w+)(?: (?<method>\S+))?(?: at await (?<await>\d+))?$""")]
    private static partial Regex HolderText();
}
