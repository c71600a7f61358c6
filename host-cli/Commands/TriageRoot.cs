using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Help;
using HangTriage.Cli.Live;

namespace HangTriage.Cli.Commands;

/// <summary>The tool itself: its commands, and the help of all of them.</summary>
internal sealed class TriageRoot : RootCommand, IHasExamples
{
    public TriageRoot(Host host)
        : base("Reads a hung process, live or its dump, and names the culprit.")
    {
        HelpName = "triage";
        Directives.Clear();
        Directives.Add(new SuggestDirective());
        Subcommands.Add(new AnalyzeCommand(host));
        Subcommands.Add(new AttachCommand(host));
        Subcommands.Add(new PsCommand(host));
        Subcommands.Add(new RunCommand(host));
        Subcommands.Add(new ReportCommand(host));
        Subcommands.Add(new CaptureCommand(host));
        Subcommands.Add(new TraceCommand(host));
        Subcommands.Add(new SampleCommand(host));
        Subcommands.Add(new GuardCommand());
        Subcommands.Add(new SummaryCommand(host));
        Subcommands.Add(new RulesCommand(host));
        Subcommands.Add(new ExplainCommand(host));
        Subcommands.Add(InstallCommand.Install(host));
        Subcommands.Add(InstallCommand.Uninstall(host));

        HelpOption option = Options.OfType<HelpOption>().Single();
        HelpAction plain = (HelpAction)option.Action!;
        plain.MaxWidth = host.Terminal.Width;
        HelpWithExamples help = new(plain);
        option.Action = help;

        // Not 0: a script that lost its arguments must not read "no hang".
        SetAction(parsed =>
        {
            help.Invoke(parsed);
            foreach (string line in FirstSteps.Lines)
            {
                host.Out.WriteLine(line);
            }

            return ExitCode.Usage;
        });
    }

    /// <summary>What the commands are called, to tell them from targets without making them.</summary>
    public static IReadOnlyList<string> CommandNames { get; } =
        ["analyze", AttachCommand.CommandName, "ps", "run", "report", "capture", TraceCommand.CommandName, SampleProcess.Command, GuardianProcess.Command, SummaryCommand.CommandName, "rules", "explain", "install", "uninstall"];

    /// <summary>How a shell asks for the words that can come next: [suggest:14] "triage analyze --f".</summary>
    public const string Suggest = "[suggest";

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "0   no hang, or what was asked for is done",
        ExitCodeLines.Hang,
        ExitCodeLines.Inconclusive,
        ExitCodeLines.Usage,
        ExitCodeLines.Input,
        ExitCodeLines.RuleFailed,
        ExitCodeLines.Output,
        "124 run ended a command that hangs, or took too long",
        ExitCodeLines.Interrupted,
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage analyze app.dmp",
        "triage attach 1234",
        "triage ps",
        "triage run -- dotnet test",
        "triage report app.dmp -o incident.md",
        "triage report app.dmp -o incident.html",
        "triage capture app.dmp -o app.facts.json",
        "triage summary reports/*.json",
        "triage trace slow.etl",
        "triage rules",
        "triage explain HT1001",
        "triage install dotnet-dump",
    ];
}
