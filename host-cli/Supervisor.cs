using System.ComponentModel;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Files;
using HangTriage.Capture.Targets;
using HangTriage.Cli.Commands;
using HangTriage.Reports;

namespace HangTriage.Cli;

/// <summary>
/// Runs the command in a process of its own where a .NET runtime's own library (native code, which a damaged or hostile dump
/// can crash, or make loop forever) may have to read the dump, and once more without that library where it did; or where a
/// library has to read a trace.
/// </summary>
internal static class Supervisor
{
    private const string SilenceVariable = "TRIAGE_WORKER_SECONDS";
    private const int SigTerm = 15;

    // The system's way of saying that a signal or an exception ended a process.
    private const int AboveSignals = 128;

    /// <summary>A step (one thread, frame or batch of objects) takes milliseconds; the rest is for cold disks and busy machines.</summary>
    public static TimeSpan LongestSilence { get; } = TimeSpan.FromSeconds(30);

    /// <summary>As long as the environment says, for machines that need more.</summary>
    public static TimeSpan SilenceOfEnvironment()
        => int.TryParse(Environment.GetEnvironmentVariable(SilenceVariable), NumberStyles.None, CultureInfo.InvariantCulture, out int seconds) && seconds > 0
            ? TimeSpan.FromSeconds(seconds)
            : LongestSilence;

    /// <summary>True where one of the arguments is a dump whose runtime can be read on this system, or a trace that a library reads.</summary>
    public static bool IsNeeded(string[] args)
        => !Worker.IsThisProcess && args switch
        {
            ["analyze" or "report" or "capture" or TraceCommand.CommandName, ..] => args.Skip(1).Any(IsDump),
            [AttachCommand.CommandName, ..] => args.Skip(1).Any(path => HeadOf(path) is { } head && IsNettrace(head)),
            _ => false,
        };

    public static int Run(string[] args, Host host)
    {
        try
        {
            return RunWorkers(args, host);
        }
        catch (Win32Exception e)
        {
            host.Error.WriteLine(Printable.Line($"triage: the system does not start the process that reads the input: {e.Message}"));
            return ExitCode.Failed;
        }
    }

    private static int RunWorkers(string[] args, Host host)
    {
        int? code = WorkerProcess.Run(args, whyWithoutRuntime: null, host.LongestSilence, host.Cancellation);
        string? failure = FailureOf(code, host.LongestSilence);
        if (failure is null || host.Cancellation.IsCancellationRequested)
        {
            return code ?? ExitCode.Interrupted;
        }

        if (args is [TraceCommand.CommandName, ..])
        {
            host.Error.WriteLine($"triage: the trace cannot be read: the library that reads .nettrace files {failure}");
            return ExitCode.Input;
        }

        string why = $"the reading of the .NET runtime's data {failure}";
        host.Error.WriteLine($"triage: {why}; once more without it");
        int? second = WorkerProcess.Run(args, why, host.LongestSilence, host.Cancellation);
        return second is { } ended && FailureOf(ended, host.LongestSilence) is null ? ended : WithoutEnd(host);
    }

    /// <summary>What the runtime's library did to a worker; null where it ended by itself.</summary>
    /// <param name="code">The worker's exit code; null where it was ended.</param>
    /// <param name="silence">How long it may make no progress.</param>
    public static string? FailureOf(int? code, TimeSpan silence)
        => code is not { } ended ? $"made no progress for {silence.TotalSeconds} s on this input"
            : IsCrash(ended) ? $"crashed on this input ({NameOf(ended)})"
            : null;

    private static int WithoutEnd(Host host)
    {
        host.Error.WriteLine("triage: the input cannot be read: without that library, too, the reading makes no progress or crashes");
        return ExitCode.Input;
    }

    private static bool IsCrash(int code)
        => OperatingSystem.IsWindows() ? code < 0 : code is > AboveSignals and not ExitCode.Interrupted and not AboveSignals + 9 and not AboveSignals + SigTerm;

    private static string NameOf(int code)
        => OperatingSystem.IsWindows()
            ? string.Create(CultureInfo.InvariantCulture, $"exception 0x{code:x8}")
            : string.Create(CultureInfo.InvariantCulture, $"signal {code - AboveSignals}");

    // A packed file may hold a dump. A minidump's runtime is read on Windows alone, a core's on Linux.
    private static bool IsDump(string path)
        => HeadOf(path) is { } head
            && (head.AsSpan().StartsWith("\x7F"u8) && head.AsSpan(1).StartsWith("ELF"u8) ? OperatingSystem.IsLinux()
                : head.AsSpan().StartsWith("MDMP"u8) ? OperatingSystem.IsWindows()
                : IsNettrace(head) || TargetFile.IsPacked(head));

    private static bool IsNettrace(byte[] head) => head.AsSpan().StartsWith("Nett"u8);

    /// <summary>The first bytes; null where it is no file, or a tiny one.</summary>
    private static byte[]? HeadOf(string path)
    {
        try
        {
            // One of the words may name a device that something is to be written to.
            if (path.StartsWith('-') || new FileInfo(path) is not { Exists: true, Length: >= sizeof(uint) })
            {
                return null;
            }

            using FileStream file = PlainFile.OpenStream(path);
            byte[] head = new byte[TargetFile.HeadSize];
            return head[..file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}
