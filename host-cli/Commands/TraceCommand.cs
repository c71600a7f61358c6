using System.CommandLine;

namespace HangTriage.Cli.Commands;

internal sealed class TraceCommand : Command, IHasExamples
{
    public const string CommandName = "trace";

    public TraceCommand(Host host)
        : base(CommandName, "Say what a trace shows: who ran, who was ready and did not run, who waited and who ended the wait.")
    {
        Argument<string> target = new("FILE") { Description = "An event trace of Windows (.etl) or .NET (.nettrace), plain or in a .zip or .gz, or the text of 'perf script'." };
        Option<uint?> pid = new("--pid") { Description = "Tell of the process with this id, and judge it.", HelpName = "N" };
        Option<string?> process = new("--process") { Description = "Tell of the process with this name, with or without .exe, and judge it.", HelpName = "NAME" };
        Option<string?> tags = new("--tags") { Description = "Say what frames mean: lines 'NAME: PATTERN', before the built-in ones.", HelpName = "FILE" };
        Option<string?> format = SharedOptions.Format(ReportFormat.Text, ReportFormat.Plain);
        Option<string?> output = SharedOptions.Output();
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(pid);
        Options.Add(process);
        Options.Add(tags);
        Options.Add(format);
        Options.Add(output);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            string input = parsed.GetRequiredValue(target);
            bool isQuiet = parsed.GetValue(quiet);
            if (parsed.GetValue(pid) is not null && parsed.GetValue(process) is not null)
            {
                throw new UsageException("--pid and --process name one process each; give one of them.");
            }

            ReportPlan plan = ReportPlan.Of(parsed.GetValue(output), parsed.GetValue(format), ReportFormat.Text, input).WithoutPage("What a trace shows is written as");
            TraceReport report = TraceReport.Read(host, input, parsed.GetValue(tags), isQuiet).Of(parsed.GetValue(pid), parsed.GetValue(process));
            return report.Write(host, plan, isQuiet);
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "0   no hang, or no process was named and nothing was judged",
        ExitCodeLines.Hang,
        ExitCodeLines.Inconclusive,
        "64  the command line cannot be carried out, or the process is not in the trace",
        ExitCodeLines.Input,
        ExitCodeLines.RuleFailed,
        ExitCodeLines.Output,
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage trace slow.etl",
        "triage trace slow.etl --process orders",
        "triage trace slow.etl.zip --pid 1234 --format json",
        "triage trace slow.etl --process orders -o trace.md",
        "triage trace web.nettrace --tags tags.txt",
    ];
}
