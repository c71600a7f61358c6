using System.CommandLine;
using System.Text;
using HangTriage.Cli.Live;
using HangTriage.Facts;
using HangTriage.Reports;

namespace HangTriage.Cli.Commands;

internal sealed class CaptureCommand : Command, IHasExamples
{
    public CaptureCommand(Host host)
        : base("capture", "Write the facts of a process, without memory contents, for analysis elsewhere.")
    {
        Argument<string> target = SharedOptions.Target(orProcess: true);
        Option<string> output = new("--output", "-o") { Description = "The file to write, usually NAME.facts.json; - for standard output.", HelpName = "FILE", Required = true };
        Option<string[]> earlier = SharedOptions.Earlier();
        Option<string?> trace = SharedOptions.Trace();
        LiveOptions live = new();
        CaptureOptions capture = new();
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(output);
        Options.Add(earlier);
        Options.Add(trace);
        live.AddTo(this);
        capture.AddTo(this);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            string input = parsed.GetRequiredValue(target);
            string path = parsed.GetRequiredValue(output);
            string[] before = parsed.GetRequiredValue(earlier);
            OutputFile? file = OutputFile.PlanOrNull(path, [input, .. before, parsed.GetValue(trace)]);
            CaptureChoices choices = capture.Of(parsed, host) with { Trace = parsed.GetValue(trace) };
            choices = LiveTarget.IdUnlessFile(input) is int process ? LiveCase.Of(choices, live.Of(parsed, process)) : choices;
            Case @case = Analysis.Facts(host, input, before, choices, parsed.GetValue(quiet));
            if (file is null)
            {
                using MemoryStream facts = new();
                FactsFile.Write(@case, facts);
                host.Out.Write(Encoding.UTF8.GetString(facts.GetBuffer(), 0, (int)facts.Length));
                return ExitCode.Done;
            }

            file.Write(stream => FactsFile.Write(@case, stream));
            if (!parsed.GetValue(quiet))
            {
                host.Error.WriteLine(Printable.Line($"triage: {path}: written"));
            }

            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> ExitCodes { get; } =
    [
        "0   the facts are written; nothing was judged",
        ExitCodeLines.Usage,
        ExitCodeLines.Input,
        ExitCodeLines.Failed,
        ExitCodeLines.Output,
        ExitCodeLines.Interrupted,
    ];

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage capture app.dmp -o app.facts.json",
        "triage capture 1234 -o app.facts.json",
        "triage capture small.dmp --symbols builds/app -o small.facts.json",
        "triage capture app.dmp --trace slow.etl -o app.facts.json",
        "triage capture second.dmp --earlier first.dmp -o case.facts.json",
        "triage analyze app.facts.json",
    ];
}
