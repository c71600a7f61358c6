using System.CommandLine;
using System.Diagnostics;
using HangTriage.Capture.Live;
using HangTriage.Capture.Targets;
using HangTriage.Cli.Live;

namespace HangTriage.Cli.Commands;

internal sealed class PsCommand : Command, IHasExamples
{
    public PsCommand(Host host)
        : base("ps", "List processes with what makes them look hung, worst first; those of .NET before others (Linux, Windows).")
    {
        Option<TimeSpan> interval = LiveOptions.Duration("--interval", "How long to watch them, such as 500ms or 2s.", TimeSpan.FromSeconds(1));
        Option<bool> all = new("--all") { Description = "Those too that run no .NET." };
        Options.Add(interval);
        Options.Add(all);
        SetAction(parsed =>
        {
            if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            {
                throw new UsageException("Live processes are listed on Linux and Windows alone.");
            }

            IReadOnlyList<ProcessLook> looks = Watch(parsed.GetRequiredValue(interval), host.Cancellation);
            ProcessLook[] shown = [.. looks.Where(look => look.Process.IsDotNet == true || parsed.GetValue(all))];
            ProcessLines.Write(shown, host.Out);
            int others = looks.Count - shown.Length;
            if (others > 0)
            {
                host.Error.WriteLine($"triage: {others} processes run no .NET, or do not let this user see it; --all lists them");
            }

            return ExitCode.Done;
        });
    }

    public IReadOnlyList<string> Examples { get; } =
    [
        "triage ps",
        "triage ps --all --interval 5s",
    ];

    private static IReadOnlyList<ProcessLook> Watch(TimeSpan interval, CancellationToken cancellation)
    {
        long start = Stopwatch.GetTimestamp();
        Dictionary<int, ProcessEntry> then = Processes.Read().ToDictionary(process => process.Id);
        cancellation.WaitHandle.WaitOne(interval);
        cancellation.ThrowIfCancellationRequested();
        IReadOnlyList<ProcessEntry> now = Processes.Read();
        TimeSpan between = Stopwatch.GetElapsedTime(start);
        return
        [
            .. now.Where(process => process.Id != Environment.ProcessId && then.TryGetValue(process.Id, out ProcessEntry? before) && before.StartedAt == process.StartedAt)
                .Select(process => ProcessLook.Of(then[process.Id], process, between))
                .OrderByDescending(look => look.Rank)
                .ThenBy(look => look.Process.Id),
        ];
    }
}
