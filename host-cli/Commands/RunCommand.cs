using System.CommandLine;
using HangTriage.Cli.Running;

namespace HangTriage.Cli.Commands;

internal sealed class RunCommand : Command, IHasExamples
{
    public RunCommand(Host host)
        : base("run", "Run a command; a hang in its processes is caught where it happens, judged and ended (Linux).")
    {
        Argument<string[]> command = new("COMMAND") { Description = "The program and its arguments, behind --.", Arity = ArgumentArity.OneOrMore };
        Option<TimeSpan> hangAfter = LiveOptions.Duration("--hang-after", "How long the command's processes may write nothing before they are looked at.", TimeSpan.FromSeconds(60));
        Option<TimeSpan?> timeout = new("--timeout") { Description = "How long the command may take; then the best suspect is the verdict.", HelpName = "DURATION", CustomParser = result => LiveOptions.Parse(result) };
        Option<string?> folder = new("--output", "-o") { Description = "Where incident.md, report.json and process.facts.json of a hang go; it is made if it is not there.", HelpName = "DIR" };
        Option<bool> dump = new("--dump") { Description = $"Also write a dump of the process that hangs, {RunChoices.DumpFile}, into the folder of -o. It has the contents of its memory." };
        CaptureOptions capture = new();
        Options.Add(hangAfter);
        Options.Add(timeout);
        Options.Add(folder);
        Options.Add(dump);
        capture.AddTo(this);
        Arguments.Add(command);
        SetAction(parsed =>
        {
            if (!OperatingSystem.IsLinux())
            {
                throw new UsageException("run is for Linux; elsewhere take a dump of the hung process and analyze that.");
            }

            RunChoices choices = new(parsed.GetRequiredValue(command), parsed.GetRequiredValue(hangAfter), parsed.GetValue(timeout), parsed.GetValue(folder), parsed.GetValue(dump));
            Prepare(choices);

            // Signals are for the command, and this ends when that does: a look that is under way continues.
            Host lasting = host with { Cancellation = CancellationToken.None };
            return new WatchedRun(lasting, choices, capture.Of(parsed, lasting)).Execute();
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "124 a hang was found, or the time was up, and the command was ended",
        ExitCodeLines.Usage,
        "73  the folder of -o cannot be made, or a report cannot be written",
        "any other: the command's own",
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage run -- dotnet test",
        "triage run --hang-after 2m --timeout 30m -o hang -- dotnet test --no-build",
        "triage run --hang-after 2m -o hang --dump -- ./orders-import --all",
    ];

    private static void Prepare(RunChoices choices)
    {
        if (choices is { IsDumped: true, Folder: null })
        {
            throw new UsageException("--dump needs -o DIR, the folder that the dump is written into.");
        }

        if (choices.Folder is not { } folder)
        {
            return;
        }

        try
        {
            _ = Directory.CreateDirectory(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new OutputException(folder, e);
        }
    }
}
