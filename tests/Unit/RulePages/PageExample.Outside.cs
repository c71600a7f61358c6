using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about the other side of what threads wait for.</content>
public sealed partial record PageExample
{
    private static bool ApplyOutside(SnapshotBuilder builder, string line)
    {
        if (PeerLine().Match(line) is { Success: true } peer)
        {
            SocketFacts socket = SnapshotBuilder.Socket(peer.Groups["peer"].Value, peer.Groups["timeout"].Success ? Seconds(peer, "timeout") : null);
            builder.WaitsForPeer(Id(peer, "id"), socket with { IsAccepted = peer.Groups["who"].Value == "client" });
        }
        else if (ChildLine().Match(line) is { Success: true } child)
        {
            builder.WaitsForChild(
                Id(child, "id"),
                uint.Parse(child.Groups["child"].Value, CultureInfo.InvariantCulture),
                child.Groups["unread"].Success ? UnreadOutput.Output : UnreadOutput.None,
                child.Groups["open"].Success);
        }
        else if (InputLine().Match(line) is { Success: true } input)
        {
            builder.NeedsSocket(Id(input, "address"), SnapshotBuilder.Socket(input.Groups["peer"].Value) with { Operation = SocketOperation.Receive });
        }
        else
        {
            return false;
        }

        return true;
    }

    [GeneratedRegex("""^(?<id>0x\w+) waits for (?<who>peer|client) (?<peer>\S+:\d+)(?: for (?<timeout>[\d.]+) s)?$""")]
    private static partial Regex PeerLine();

    [GeneratedRegex("""^(?<id>0x\w+) waits for child (?<child>\d+)(?:(?<unread> with unread output)|(?<open> with open input))?$""")]
    private static partial Regex ChildLine();

    [GeneratedRegex("""^task (?<address>0x\w+) needs input from (?<peer>\S+:\d+)$""")]
    private static partial Regex InputLine();
}
