using System.CommandLine;
using HangTriage.Cli.TestRuns;

namespace HangTriage.Cli.Commands;

internal sealed class AnalyzeCommand : Command, IHasExamples
{
    private const string CommandName = "analyze";

    private readonly Host _host;
    private readonly Argument<string[]> _targets = SharedOptions.Targets();
    private readonly Option<string?> _format = SharedOptions.Format();
    private readonly Option<string?> _output = SharedOptions.Output();
    private readonly Option<string[]> _earlier = SharedOptions.Earlier();
    private readonly Option<string?> _trace = SharedOptions.Trace();
    private readonly Option<bool> _hung = SharedOptions.Hung();
    private readonly CaptureOptions _capture = new();
    private readonly Option<bool> _verbose = SharedOptions.Verbose();
    private readonly Option<bool> _quiet = SharedOptions.Quiet();

    public AnalyzeCommand(Host host)
        : base(CommandName, "Say why a process hangs: who waits for whom, and what the last one does.")
    {
        _host = host;
        Arguments.Add(_targets);
        Options.Add(_format);
        Options.Add(_output);
        Options.Add(_earlier);
        Options.Add(_trace);
        Options.Add(_hung);
        _capture.AddTo(this);
        Options.Add(_verbose);
        Options.Add(_quiet);
        SetAction(Run);
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
        "triage analyze TestResults/",
        "triage analyze monday.dmp tuesday.dmp --format json",
        "triage analyze core.3 --earlier core.1 --earlier core.2",
        "triage analyze app.facts.json -o incident.html",
    ];

    private int Run(ParseResult parsed)
    {
        string[] inputs = parsed.GetRequiredValue(_targets);
        string[] before = parsed.GetRequiredValue(_earlier);
        string? trace = parsed.GetValue(_trace);
        ReportPlan plan = ReportPlan.Of(parsed.GetValue(_output), parsed.GetValue(_format), ReportFormat.Text, [.. inputs, .. before, trace]);
        CaptureChoices choices = _capture.Of(parsed, _host);
        if (SeveralInputs.Are(inputs))
        {
            return before.Length > 0 || trace is not null
                ? throw new UsageException("--earlier and --trace are for one input.")
                : new SeveralInputs(_host, EachBy(parsed, choices, plan), plan.WithoutPage("The reports of several inputs are")).Run(inputs);
        }

        string input = inputs[0];
        bool isQuiet = parsed.GetValue(_quiet);
        TestRecord tests = TestRecord.Beside(input);
        choices = choices with { Trace = trace, HungTests = tests.Hung };
        WarmUp.Start(_host, plan.Layout);
        Analysis analysis = Analysis.Of(_host, input, before, choices, parsed.GetValue(_hung) || tests.IsTimeout, isQuiet);
        return ReportOutput.Write(_host, analysis, plan with { Layout = plan.Layout with { IsVerbose = parsed.GetValue(_verbose) } }, isQuiet);
    }

    private string[] EachBy(ParseResult parsed, CaptureChoices choices, ReportPlan plan)
        =>
        [
            CommandName,
            _format.Name, plan.Layout.Format,
            .. CaptureOptions.Words(choices),
            .. parsed.GetValue(_hung) ? [_hung.Name] : Array.Empty<string>(),
            .. parsed.GetValue(_verbose) ? [_verbose.Name] : Array.Empty<string>(),
        ];
}
