using System.CommandLine;
using HangTriage.Rules.Observing;

namespace HangTriage.Cli.Commands;

internal sealed class RulesCommand : Command, IHasExamples
{
    public RulesCommand(Host host)
        : base("rules", "List what can be found.")
    {
        SetAction(_ =>
        {
            int width = Catalogue.Rules.Select(rule => rule.Name.Length).DefaultIfEmpty().Max();
            foreach (RuleInfo rule in Catalogue.Rules)
            {
                host.Out.WriteLine($"{rule.Id}  {rule.Name.PadRight(width)}  {rule.Summary}");
            }

            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage rules",
        "triage explain HT1001",
    ];
}
