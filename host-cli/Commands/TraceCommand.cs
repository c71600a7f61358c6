using System.CommandLine;

namespace HangTriage.Cli.Commands;

internal sealed class TraceCommand : Command, IHasExamples
{
    public const string CommandName = "trace";

    public TraceCommand(Host host)
        : base(CommandName, "Say what a trace shows: who ran, who was ready and did not run, who waited and who ended the wait.")
    {
        Argument<string> target = new("FILE") { Description = "An event trace of Windows (.etl), plain or in a .zip or .gz." };
        Option<uint?> pid = new("--pid") { Description = "Tell of the process with this id.", HelpName = "N" };
        Option<string?> process = new("--process") { Description = "Tell of the process with this name, with or without .exe.", HelpName = "NAME" };
        Option<string> format = SharedOptions.Format();
        Option<string?> output = new("--output", "-o") { Description = "Write the report to this file instead of standard output.", HelpName = "FILE" };
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(pid);
        Options.Add(process);
        Options.Add(format);
        Options.Add(output);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            string input = parsed.GetRequiredValue(target);
            string? path = parsed.GetValue(output);
            bool isQuiet = parsed.GetValue(quiet);
            if (parsed.GetValue(pid) is not null && parsed.GetValue(process) is not null)
            {
                throw new UsageException("--pid and --process name one process each; give one of them.");
            }

            OutputFile? file = path is null ? null : OutputFile.Plan(path, input);
            TraceReport report = TraceReport.Read(host, input, isQuiet).Of(parsed.GetValue(pid), parsed.GetValue(process));
            return report.Write(host, parsed.GetRequiredValue(format), file, path, isQuiet);
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "0   the trace was read; nothing was judged",
        "64  the command line cannot be carried out, or the process is not in the trace",
        "65  the input cannot be read",
        "70  the tool failed",
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage trace slow.etl",
        "triage trace slow.etl --process orders",
        "triage trace slow.etl.zip --pid 1234 --format json",
        "triage trace slow.etl --process orders --format markdown -o trace.md",
    ];
}
