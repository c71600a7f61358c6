using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.RulePages;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>The cases that the policy is tried on: every example of a rule's page, and those that no page needs.</summary>
internal static class PolicyCases
{
    public static IReadOnlyDictionary<string, Case> All { get; } = WithSaying(WithDamage(WithRuns([.. Pages(), .. MoreCases.All()]))).ToDictionary(pair => pair.Name, pair => pair.Case);

    /// <summary>Each case as it is, and once more where the user says that the process hangs.</summary>
    private static IEnumerable<(string Name, Case Case)> WithSaying(IEnumerable<(string Name, Case Case)> cases)
        => cases.SelectMany(asItIs => new[] { asItIs, ($"{asItIs.Name}, said to hang", asItIs.Case with { IsSaidToHang = true }) });

    /// <summary>Each case, and some of them with a trace that shows their threads running.</summary>
    private static IReadOnlyList<(string Name, Case Case)> WithRuns(IReadOnlyList<(string Name, Case Case)> cases) => [.. cases, .. TraceCases.Of(cases)];

    /// <summary>Each case as it is, and once more of a file that is cut off.</summary>
    private static IEnumerable<(string Name, Case Case)> WithDamage(IReadOnlyList<(string Name, Case Case)> cases)
        => cases.Concat(cases.Select(whole => ($"{whole.Name}, cut off", Case.Of([.. whole.Case.Samples.SkipLast(1), CutOff(whole.Case.Last)]).WithTraceOf(whole.Case))));

    private static ProcessSnapshot CutOff(ProcessSnapshot whole)
        => whole with { Gaps = [.. whole.Gaps, new Gap("end of the file", "the file is cut off") { IsLoss = true }] };

    private static IEnumerable<(string Name, Case Case)> Pages()
        => from id in RulePage.Ids
           from example in RulePage.Read(id).Examples.Select((example, index) => (Example: example, Index: index))
           select ($"{id} example {example.Index}", example.Example.BuildCase());
}
