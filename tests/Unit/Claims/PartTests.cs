using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Claims;

/// <summary>
/// Words that name a thread, a lock or a task of a finding keep what they name. They lose it where an interpolated string becomes
/// a string before it becomes a claim, as in a conditional expression both of whose branches are such strings.
/// </summary>
public sealed partial class PartTests
{
    [Fact]
    public void No_text_of_a_finding_holds_the_name_of_a_party()
        => Assert.Empty(
            from pair in PolicyCases.All
            from finding in Triage.Judge(pair.Value).Findings
            from lost in Lost(finding)
            select $"{pair.Key}: {finding.Rule.Id}: {lost}");

    [Fact]
    public void No_text_of_what_a_thread_waits_for_holds_the_name_of_a_thread_or_lock()
        => Assert.Empty(
            from pair in PolicyCases.All
            from thread in Triage.Judge(pair.Value).Threads
            from part in TextOf(thread.WaitsFor?.Label ?? Claim.Empty)
            where ThreadLabel().IsMatch(part) || AddressInBrackets().IsMatch(part)
            select $"{pair.Key}: {thread.Thread.OsId}: {part}");

    private static IEnumerable<string> Lost(Finding finding)
    {
        string[] addresses = [.. PartiesOf(finding).Select(party => party.Lock?.Address ?? party.Task).OfType<Address>().Distinct().Select(address => $"({address})")];
        return ClaimsOf(finding).SelectMany(TextOf)
            .Where(text => ThreadLabel().IsMatch(text) || addresses.Any(address => text.Contains(address, StringComparison.Ordinal)));
    }

    private static IEnumerable<Claim> ClaimsOf(Finding finding)
        =>
        [
            finding.Title,
            .. PartiesOf(finding).SelectMany(party => new[] { party.Label, party.Role }).OfType<Claim>(),
            .. finding.Evidence.Concat(finding.Contradictions).Select(evidence => evidence.Claim),
            .. finding.Advice,
        ];

    private static IEnumerable<Party> PartiesOf(Finding finding)
        => finding.Victims.Concat(finding.Chain.SelectMany(link => new[] { link.From, link.To })).Concat(new[] { finding.Culprit }.OfType<Party>());

    private static IEnumerable<string> TextOf(Claim claim) => claim.Parts.Where(part => !part.NamesSomething).Select(part => part.Text);

    [GeneratedRegex(@"\bthread (\d+ \()?0x[0-9a-f]+", RegexOptions.IgnoreCase)]
    private static partial Regex ThreadLabel();

    [GeneratedRegex(@"\(0x[0-9a-f]+\)")]
    private static partial Regex AddressInBrackets();
}
