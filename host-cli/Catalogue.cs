using HangTriage.Rules;
using HangTriage.Rules.Observing;

namespace HangTriage.Cli;

/// <summary>The rules that the tool has.</summary>
internal static class Catalogue
{
    public static IReadOnlyList<RuleInfo> Rules { get; } = [.. RuleCatalog.All.Select(rule => rule.Info)];
}
