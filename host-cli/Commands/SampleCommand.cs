using System.CommandLine;
using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Cli.Live;
using HangTriage.Facts;

namespace HangTriage.Cli.Commands;

/// <summary>Takes one sample in a process of its own and writes its facts to standard output. Started by <see cref="SampleProcess"/> alone.</summary>
internal sealed class SampleCommand : Command
{
    public SampleCommand(Host host)
        : base(SampleProcess.Command, "Take one sample of a live process.")
    {
        Hidden = true;
        Argument<int> process = new("PID");
        Option<TimeSpan> pause = LiveOptions.PauseOption();
        CaptureOptions capture = new();
        Arguments.Add(process);
        Options.Add(pause);
        capture.AddTo(this);
        SetAction(parsed =>
        {
            CaptureContext context = capture.Of(parsed, host).Context(host, new Progress());
            SampleProcess.AwaitGo(Console.In);
            try
            {
                using Stream output = Console.OpenStandardOutput();
                FactsFile.Write(
                    Case.Of(LinuxLiveCapture.Read(parsed.GetRequiredValue(process), parsed.GetRequiredValue(pause), context, () => SampleProcess.SayCopied(output))),
                    output);
                return ExitCode.Done;
            }
            catch (TargetOpenException e)
            {
                host.Error.WriteLine(e.Message);
                return ExitCode.Input;
            }
        });
    }
}
