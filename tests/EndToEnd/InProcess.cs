using System.Text;
using HangTriage.Capture;
using HangTriage.Cli;
using HangTriage.Cli.Commands;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Runs the command line in this process, with parts of the tool replaced.</summary>
internal sealed record InProcess
{
    public Func<string, CaptureContext, ProcessSnapshot> Capture { get; init; } = (_, _) => SmallFacts.Idle();

    public Func<ProcessSnapshot, TriageResult> Judge { get; init; } = _ => SmallResults.Of(VerdictKind.NotHung);

    public Terminal Terminal { get; init; } = Terminal.None;

    public CancellationToken Cancellation { get; init; }

    public bool IsDebug { get; init; }

    public bool WarmsUp { get; init; }

    public string Input { get; init; } = string.Empty;

    public string ToolFolder { get; init; } = AppContext.BaseDirectory;

    public string UserData { get; init; } = string.Empty;

    public static InProcess WithVerdict(VerdictKind kind) => new() { Judge = _ => SmallResults.Of(kind) };

    public ToolRun Run(params string[] arguments)
    {
        using StringWriter output = new() { NewLine = "\n" };
        using StringWriter error = new() { NewLine = "\n" };
        int code = CommandLine.Run(arguments, new Host
        {
            Out = output,
            Error = error,
            In = () => new MemoryStream(Encoding.UTF8.GetBytes(Input)),
            Capture = (path, context) => Case.Of(Capture(path, context)),
            Judge = @case => @case.Samples.Count == 1 ? Judge(@case.Last) : Triage.Judge(@case),
            Terminal = Terminal,
            Cancellation = Cancellation,
            IsDebug = IsDebug,
            WarmsUp = WarmsUp,
            ToolFolder = ToolFolder,
            UserData = UserData,
        });
        return new ToolRun(code, output.ToString(), error.ToString());
    }
}
