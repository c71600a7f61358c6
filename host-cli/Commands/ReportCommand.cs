using System.CommandLine;
using HangTriage.Cli.Live;
using HangTriage.Cli.TestRuns;

namespace HangTriage.Cli.Commands;

internal sealed class ReportCommand : Command, IHasExamples
{
    public ReportCommand(Host host)
        : base("report", "Write the incident report for a ticket: Markdown or HTML with verdict, graph, evidence and stacks.")
    {
        Argument<string> target = SharedOptions.Target(orProcess: true);
        Option<string?> format = SharedOptions.Format(ReportFormat.Markdown);
        Option<string> output = new("--output", "-o") { Description = "The file to write; - for standard output.", HelpName = "FILE", Required = true };
        Option<string[]> earlier = SharedOptions.Earlier();
        Option<string?> trace = SharedOptions.Trace();
        Option<bool> hung = SharedOptions.Hung();
        LiveOptions live = new();
        CaptureOptions capture = new();
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(format);
        Options.Add(output);
        Options.Add(earlier);
        Options.Add(trace);
        Options.Add(hung);
        live.AddTo(this);
        capture.AddTo(this);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            string input = parsed.GetRequiredValue(target);
            string[] before = parsed.GetRequiredValue(earlier);
            bool isQuiet = parsed.GetValue(quiet);
            ReportPlan plan = ReportPlan.Of(parsed.GetRequiredValue(output), parsed.GetValue(format), ReportFormat.Markdown, [input, .. before, parsed.GetValue(trace)]);
            CaptureChoices choices = capture.Of(parsed, host) with { Trace = parsed.GetValue(trace) };
            choices = LiveTarget.IdUnlessFile(input) is int process ? LiveCase.Of(choices, live.Of(parsed, process)) : choices;
            TestRecord tests = choices.LiveSamples is null ? TestRecord.Beside(input) : TestRecord.None;
            WarmUp.Start(host, plan.Layout);
            Analysis analysis = Analysis.Of(host, input, before, choices with { HungTests = tests.Hung }, parsed.GetValue(hung) || tests.IsTimeout, isQuiet);
            return ReportOutput.Write(host, analysis, plan, isQuiet);
        });
    }

    public IReadOnlyList<string> ExitCodes => SharedOptions.VerdictExitCodes;

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage report app.dmp -o incident.md",
        "triage report app.dmp -o incident.html",
        "triage report 1234 -o incident.md",
        "triage report small.dmp --symbols builds/app -o incident.md",
    ];
}
