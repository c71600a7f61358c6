using System.CommandLine;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
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
            try
            {
                using GuardianProcess? guardian = OperatingSystem.IsWindows() ? GuardianProcess.Start() : null;
                if (!SampleProcess.AwaitGo(Console.In))
                {
                    return ExitCode.Interrupted;
                }

                using Stream output = Console.OpenStandardOutput();
                FactsFile.Write(Case.Of(LiveCapture.Read(parsed.GetRequiredValue(process), parsed.GetRequiredValue(pause), context, guardian?.Journal, () => SayCopied(guardian, output))), output);
                return ExitCode.Done;
            }
            catch (TargetOpenException e)
            {
                host.Error.WriteLine(e.Message);
                return ExitCode.Input;
            }
        });
    }

    // The target runs: there is nothing left to guard.
    private static void SayCopied(GuardianProcess? guardian, Stream output)
    {
        guardian?.Dispose();
        SampleProcess.SayCopied(output);
    }
}
