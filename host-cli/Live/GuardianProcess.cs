using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Windows.Live;

namespace HangTriage.Cli.Live;

/// <summary>
/// A process that waits beside this one on Windows, and resumes what this one has suspended if it is killed. It ends when this
/// one ends, however that is: it waits for the end of its input.
/// </summary>
internal sealed class GuardianProcess : IDisposable
{
    public const string Command = "guard";

    private const string Ready = "ready";
    private const string Refusal = "the process that would resume the target if triage were killed does not start; without it nothing is stopped";

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly Process _process;
    private bool _isEnded;

    private GuardianProcess(Process process, StopJournal journal)
    {
        _process = process;
        Journal = journal;
    }

    public StopJournal Journal { get; }

    /// <summary>Starts it, and waits until it guards.</summary>
    /// <exception cref="TargetOpenException">It does not start; without it nothing is to be suspended.</exception>
    public static GuardianProcess Start()
    {
        ProcessStartInfo start = WorkerProcess.Self([Command]);
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;

        // On a console of its own Ctrl+C does not reach it.
        start.CreateNoWindow = true;
        Process? process = null;
        StopJournal? journal = null;
        try
        {
            process = Process.Start(start)!;
            journal = StopJournal.CreateFor(process.Handle);
            process.StandardInput.WriteLine(journal.HandleInGuardian.ToString(CultureInfo.InvariantCulture));
            process.StandardInput.Flush();
            Task<string?> answer = process.StandardOutput.ReadLineAsync();
            if (answer.Wait(s_patience) && answer.Result == Ready)
            {
                return new GuardianProcess(process, journal);
            }
        }
        catch (Exception e) when (e is Win32Exception or IOException or InvalidOperationException)
        {
            End(process, journal);
            throw new TargetOpenException($"{Refusal}: {e.Message}", e);
        }

        End(process, journal);
        throw new TargetOpenException(Refusal);
    }

    /// <summary>In the guardian itself: waits for the end of the process that it guards, and resumes what that left suspended.</summary>
    public static void Guard(TextReader input, TextWriter output)
    {
        if (!long.TryParse(input.ReadLine(), NumberStyles.None, CultureInfo.InvariantCulture, out long handle))
        {
            return;
        }

        using StopJournal journal = StopJournal.Open(handle);
        output.WriteLine(Ready);
        output.Flush();
        _ = input.ReadLine();
        _ = StopGuardian.Release(journal);
    }

    public void Dispose()
    {
        if (!_isEnded)
        {
            _isEnded = true;
            End(_process, Journal);
        }
    }

    private static void End(Process? process, StopJournal? journal)
    {
        try
        {
            process?.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already.
        }

        process?.Dispose();
        journal?.Dispose();
    }
}
