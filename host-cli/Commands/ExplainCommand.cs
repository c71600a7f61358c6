using System.CommandLine;
using HangTriage.Rules;

namespace HangTriage.Cli.Commands;

internal sealed class ExplainCommand : Command, IHasExamples
{
    public ExplainCommand(Host host)
        : base("explain", "Show the page of a rule: what it finds, how, and what to do about it.")
    {
        Argument<string> rule = new("RULE") { Description = "The id of a rule, as reports and 'triage rules' name it." };
        Arguments.Add(rule);
        SetAction(parsed =>
        {
            string id = parsed.GetRequiredValue(rule).ToUpperInvariant();
            host.Out.WriteLine((RulePages.Find(id) ?? Summary(id) ?? throw new UsageException($"There is no rule {id}; 'triage rules' lists them.")).TrimEnd());
            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage explain HT1001",
    ];

    private static string? Summary(string id)
        => Catalogue.Rules.FirstOrDefault(rule => rule.Id == id) is { } info ? $"{info.Id} {info.Name}\n\n{info.Summary}" : null;
}
