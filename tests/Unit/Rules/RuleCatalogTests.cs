using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A rule comes with a program that hangs in its way, and with a line in the changelog.</summary>
public sealed class RuleCatalogTests
{
    // By rule: why no sample can name it.
    private static readonly Dictionary<string, string> s_withoutSample = new(StringComparer.Ordinal)
    {
        ["HT2014"] = "the pools are those of client libraries, which no sample uses; tests/Truth has one",
        ["HT3006"] = "it never decides: its finding is Inconclusive, and such a verdict names no rule; samples/SrwConvoy makes its state",
        ["HT8002"] = "it needs a server that does not answer, as HT8001's samples have",
        ["HT7001"] = "its sample is a schedule, from which the tests write the trace (tests/Support/Synthetic/Traces/Scenarios/OutrankedTrace.cs)",
        ["HT7002"] = "its sample is a schedule, too (tests/Support/Synthetic/Traces/Scenarios/ConvoyTrace.cs)",
        ["HT7003"] = "its sample is a schedule, too (tests/Support/Synthetic/Traces/Scenarios/AntivirusTrace.cs)",
        ["HT7004"] = "its samples are schedules, too (tests/Support/Synthetic/Traces/Scenarios: TinyReadsTrace.cs, RegistryTrace.cs)",
        ["HT7005"] = "its sample is a schedule, too (tests/Support/Synthetic/Traces/Scenarios/YieldTrace.cs)",
        ["HT7006"] = "its sample is a schedule, too (tests/Support/Synthetic/Traces/Scenarios/PartnerTrace.cs)",
        ["HT8001"] = "its samples, in samples/Linux, know by the kernel of Linux when they wait; tests/EndToEnd/ManagedSampleTests judges them",
    };

    public static TheoryData<string> Rules { get; } = [.. RuleCatalog.All.Select(rule => rule.Info.Id)];

    [Fact]
    public void Every_rule_decides_a_sample_or_is_excepted_and_not_both()
    {
        HashSet<string> decided = [.. Samples().Select(sample => ExpectedVerdict.Of(sample).Rule).OfType<string>()];

        Assert.Equal(RuleCatalog.All.Select(rule => rule.Info.Id).Except(decided).Order(), s_withoutSample.Keys.Order());
    }

    [Fact]
    public void Every_rule_that_a_sample_expects_is_in_the_catalogue()
        => Assert.Empty(Samples().Select(sample => ExpectedVerdict.Of(sample).Rule).OfType<string>().Except(RuleCatalog.All.Select(rule => rule.Info.Id)));

    [Theory]
    [MemberData(nameof(Rules))]
    public void The_changelog_names_every_rule(string rule)
        => Assert.Contains(rule, File.ReadAllText(Path.Combine(Repository.Root, "CHANGELOG.md")), StringComparison.Ordinal);

    [Theory]
    [MemberData(nameof(Rules))]
    public void The_readme_lists_every_rule(string rule)
        => Assert.Contains($"[{rule}](docs/rules/{rule}.md)", File.ReadAllText(Path.Combine(Repository.Root, "README.md")), StringComparison.Ordinal);

    private static IEnumerable<string> Samples() => SampleList.Native.Concat(SampleList.Managed);
}
