using System.CommandLine;
using HangTriage.Cli.Live;

namespace HangTriage.Cli.Commands;

internal sealed class AttachCommand : Command, IHasExamples
{
    public const string CommandName = "attach";

    public AttachCommand(Host host)
        : base(CommandName, "Say why a running process hangs. It is stopped for milliseconds, several times, and nothing in it is asked to help (Linux, Windows).")
    {
        Argument<string> target = new("PID|NAME") { Description = "The process: its id, or a name that only one has." };
        Option<string?> format = SharedOptions.Format();
        Option<string?> output = SharedOptions.Output();
        Option<string?> trace = SharedOptions.Trace();
        Option<bool> hung = SharedOptions.Hung();
        LiveOptions live = new();
        CaptureOptions capture = new();
        Option<bool> verbose = SharedOptions.Verbose();
        Option<bool> quiet = SharedOptions.Quiet();
        Arguments.Add(target);
        Options.Add(format);
        Options.Add(output);
        live.AddTo(this);
        Options.Add(trace);
        Options.Add(hung);
        capture.AddTo(this);
        Options.Add(verbose);
        Options.Add(quiet);
        SetAction(parsed =>
        {
            bool isQuiet = parsed.GetValue(quiet);
            ReportPlan plan = ReportPlan.Of(parsed.GetValue(output), parsed.GetValue(format), ReportFormat.Text);
            string name = parsed.GetRequiredValue(target);
            CaptureChoices choices = LiveCase.Of(capture.Of(parsed, host), live.Of(parsed, LiveTarget.Find(name))) with { Trace = parsed.GetValue(trace) };
            WarmUp.Start(host, plan.Layout);
            Analysis analysis = Analysis.Of(host, name, [], choices, parsed.GetValue(hung), isQuiet);
            return ReportOutput.Write(host, analysis, plan with { Layout = plan.Layout with { IsVerbose = parsed.GetValue(verbose) } }, isQuiet);
        });
    }

    public IReadOnlyList<string> ExitCodes => SharedOptions.VerdictExitCodes;

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage attach 1234",
        "triage attach orders-api --samples 5 --interval 2s",
        "triage attach 1234 --pause 20ms",
        "triage attach 1234 --dac /proc/1234/root/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.1",
        "triage attach 1234 --trace slow.nettrace",
        "triage attach 1234 -o incident.md",
    ];
}
