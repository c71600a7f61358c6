using System.CommandLine;

namespace HangTriage.Cli.Commands;

internal sealed class AnalyzeCommand : Command, IHasExamples
{
    public AnalyzeCommand(Host host)
        : base("analyze", "Say why a process hangs: who waits for whom, and what the last one does.")
    {
        Argument<string> target = SharedOptions.Target();
        Option<string?> format = SharedOptions.Format();
        Option<string?> output = SharedOptions.Output();
        Option<string[]> earlier = SharedOptions.Earlier();
        Option<string?> trace = SharedOptions.Trace();
        Option<bool> hung = SharedOptions.Hung();
        CaptureOptions capture = new();
        Option<bool> verbose = SharedOptions.Verbose();
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(format);
        Options.Add(output);
        Options.Add(earlier);
        Options.Add(trace);
        Options.Add(hung);
        capture.AddTo(this);
        Options.Add(verbose);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            string input = parsed.GetRequiredValue(target);
            string[] before = parsed.GetRequiredValue(earlier);
            bool isQuiet = parsed.GetValue(quiet);
            ReportPlan plan = ReportPlan.Of(parsed.GetValue(output), parsed.GetValue(format), ReportFormat.Text, [input, .. before, parsed.GetValue(trace)]);
            Analysis analysis = Analysis.Of(host, input, before, capture.Of(parsed, host) with { Trace = parsed.GetValue(trace) }, parsed.GetValue(hung), isQuiet);
            return ReportOutput.Write(host, analysis, plan with { Layout = plan.Layout with { IsVerbose = parsed.GetValue(verbose) } }, isQuiet);
        });
    }

    public IReadOnlyList<string> ExitCodes => SharedOptions.VerdictExitCodes;

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage analyze app.dmp",
        "triage analyze core.1234 --format json",
        "triage analyze small.dmp --symbols C:\\builds\\app --symbols srv*C:\\symbols*https://symbols.example.com",
        "triage analyze second.dmp --earlier first.dmp",
        "triage analyze app.dmp --trace slow.etl",
        "triage analyze app.dmp --hung",
        "triage analyze core.3 --earlier core.1 --earlier core.2",
        "triage analyze app.facts.json -o incident.html",
    ];
}
