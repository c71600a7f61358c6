using System.CommandLine;
using HangTriage.Rules.Policy;

namespace HangTriage.Cli.Commands;

internal sealed class ExplainCommand : Command, IHasExamples
{
    public ExplainCommand(Host host)
        : base("explain", "Show the page of a rule: what it finds, how, and what to do about it; or the policy that makes verdicts.")
    {
        Argument<string> rule = new("RULE") { Description = "The id of a rule, as reports and 'triage rules' name it; or 'policy'." };
        Arguments.Add(rule);
        SetAction(parsed =>
        {
            string id = parsed.GetRequiredValue(rule).ToUpperInvariant();
            host.Out.WriteLine((Policy(id) ?? RulePages.ForReaders(id) ?? Summary(id) ?? throw new UsageException($"There is no rule {id}; 'triage rules' lists them.")).TrimEnd());
            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } = ["0   the page was written", "64  there is no such rule"];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage explain HT1001",
        "triage explain policy",
    ];

    private static string? Policy(string name) => name == "POLICY" ? PolicyText.Of(VerdictPolicy.Standard) : null;

    private static string? Summary(string id)
        => Catalogue.Rules.FirstOrDefault(rule => rule.Id == id) is { } info ? $"{info.Id} {info.Name}\n\n{info.Summary}" : null;
}
