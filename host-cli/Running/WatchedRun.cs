using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;
using HangTriage.Capture.Linux.Live;
using HangTriage.Facts;
using HangTriage.Reports;

namespace HangTriage.Cli.Running;

/// <summary>Runs a command and watches the tree of its processes. Says nothing unless it hangs.</summary>
/// <param name="host">The world.</param>
/// <param name="run">What the user says.</param>
/// <param name="capture">How to read processes.</param>
[SupportedOSPlatform("linux")]
internal sealed class WatchedRun(Host host, RunChoices run, CaptureChoices capture)
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(500);

    private readonly long _start = Stopwatch.GetTimestamp();
    private readonly Quiet _quiet = new();

    /// <returns>The command's exit code, or that of a hang.</returns>
    /// <exception cref="UsageException">The command cannot be started.</exception>
    public int Execute()
    {
        SystemCalls.AdoptOrphans();
        SystemCalls.LetPipesEndChildren();
        using Process command = Start();
        List<PosixSignalRegistration> signals = Forward(command);
        try
        {
            return Watch(command);
        }
        finally
        {
            signals.ForEach(signal => signal.Dispose());
        }
    }

    private Process Start()
    {
        try
        {
            return Process.Start(new ProcessStartInfo(run.Command[0], run.Command.Skip(1)))!;
        }
        catch (Win32Exception e)
        {
            throw new UsageException($"{run.Command[0]} cannot be started: {new Win32Exception(e.NativeErrorCode).Message}.");
        }
    }

    private int Watch(Process command)
    {
        TimeSpan patience = run.HangAfter;
        while (!command.WaitForExit(s_tick))
        {
            TimeSpan now = Stopwatch.GetElapsedTime(_start);
            _quiet.Look(ProcessTree.Below(Environment.ProcessId), now);
            bool isTimeUp = now >= run.Timeout;
            if (!isTimeUp && now - _quiet.Since < patience)
            {
                patience = now - _quiet.Since < run.HangAfter ? run.HangAfter : patience;
                continue;
            }

            // What a look could not read is said where a look ends the command, and else nothing is.
            using StringWriter said = new() { NewLine = "\n" };
            Judged? stuck = new TreeJudge(host with { Error = said }, capture).Find(isTimeUp);
            if (command.HasExited)
            {
                break;
            }

            if (stuck is not null || isTimeUp)
            {
                host.Error.Write(said);
                return End(stuck, isTimeUp, now);
            }

            // It idles or makes progress: it is looked at again, ever more rarely.
            patience *= 2;
        }

        return command.ExitCode;
    }

    private int End(Judged? stuck, bool isTimeUp, TimeSpan now)
    {
        string why = isTimeUp ? $"the command has not ended within {run.Timeout!.Value.TotalSeconds:0.#} s"
            : $"the command's processes have written nothing for {(now - _quiet.Since).TotalSeconds:0.#} s";
        if (stuck is null)
        {
            host.Error.WriteLine($"triage: {why}, and none of them could be judged; it is ended");
        }
        else
        {
            host.Error.WriteLine(Printable.Line($"triage: {why}; {stuck.Process.Name} (pid {stuck.Process.Id}) {(stuck.IsStuck ? "is stuck" : "is not seen to be stuck")}, and the command is ended"));
            foreach (TestFacts test in stuck.Analysis.Result.Tests)
            {
                host.Error.WriteLine(Printable.Line($"triage: the test that runs: {test}"));
            }

            ReportFormat.Write(new ReportLayout(ReportFormat.Text) { VerboseOption = null }, stuck.Analysis, host.Error, Terminal.None);
            Write(stuck);
        }

        TreeEnd.Run();
        return ExitCode.RunEnded;
    }

    private void Write(Judged stuck)
    {
        if (run.Folder is not { } folder)
        {
            return;
        }

        Write(Path.Join(folder, "incident.md"), ReportFormat.Markdown, stuck.Analysis);
        Write(Path.Join(folder, "report.json"), ReportFormat.Json, stuck.Analysis);
        OutputFile.Plan(Path.Join(folder, "process.facts.json")).Write(stream => FactsFile.Write(stuck.Case, stream));
        if (run.IsDumped && ProcessDump.Write(stuck.Process.Id, capture.Dac, Path.GetFullPath(Path.Join(folder, RunChoices.DumpFile))) is { } whyNot)
        {
            host.Error.WriteLine(Printable.Line($"triage: {whyNot}"));
        }
    }

    private static void Write(string file, string format, Analysis analysis) => OutputFile.Plan(file).Write(stream =>
    {
        using StreamWriter writer = new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
        ReportFormat.Write(new ReportLayout(format), analysis, writer, Terminal.None);
    });

    // A terminal tells every process of its group; who signals this one alone means the command.
    private static List<PosixSignalRegistration> Forward(Process command)
    {
        List<PosixSignalRegistration> registrations = [];
        foreach ((PosixSignal signal, int number) in new[] { (PosixSignal.SIGTERM, SystemCalls.Terminate), (PosixSignal.SIGHUP, SystemCalls.Hangup), (PosixSignal.SIGQUIT, SystemCalls.Quit), (PosixSignal.SIGINT, SystemCalls.InterruptKey) })
        {
            registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = true;
                if (signal != PosixSignal.SIGINT || Console.IsInputRedirected)
                {
                    _ = SystemCalls.Signal(command.Id, number);
                }
            }));
        }

        return registrations;
    }
}
