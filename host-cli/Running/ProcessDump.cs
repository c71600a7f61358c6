using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using HangTriage.Capture.Linux.Live;

namespace HangTriage.Cli.Running;

/// <summary>Has a dump written of a process that is about to be ended.</summary>
[SupportedOSPlatform("linux")]
internal static class ProcessDump
{
    // A gigabyte takes seconds; createdump has been seen to take over a minute with 1,000 threads.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(3);

    /// <summary>One line that says why there is none; null where it was written.</summary>
    /// <param name="process">The process.</param>
    /// <param name="named">What the user names to load code from (<c>--dac</c>); null for nothing.</param>
    /// <param name="file">The file to write.</param>
    public static string? Write(int process, string? named, string file)
    {
        if (DumpProgram.Find(process, named, out string why) is not { } program)
        {
            return why;
        }

        // All of its memory: the dump is read where the program's files are not.
        ProcessStartInfo start = new(program, ["--full", "--name", file, process.ToString(CultureInfo.InvariantCulture)])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            using Process dump = Process.Start(start)!;
            string? failure = Await(dump);
            return failure is null && File.Exists(file) ? null : Failed(file, failure ?? "it wrote nothing");
        }
        catch (Exception e) when (e is Win32Exception or IOException or UnauthorizedAccessException)
        {
            return Failed(file, e.Message);
        }
    }

    private static string? Await(Process dump)
    {
        Task<string>[] said = [dump.StandardOutput.ReadToEndAsync(), dump.StandardError.ReadToEndAsync()];
        if (!dump.WaitForExit(s_limit))
        {
            dump.Kill();
            dump.WaitForExit();
            return $"it took longer than {s_limit.TotalMinutes:0} minutes";
        }

        string[] lines = [.. said.SelectMany(text => text.GetAwaiter().GetResult().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))];
        return dump.ExitCode == 0 ? null : lines.LastOrDefault() ?? $"it ended with {dump.ExitCode}";
    }

    private static string Failed(string file, string why)
    {
        // Half a dump is read as a process without threads.
        File.Delete(file);
        return $"no dump is written: createdump failed: {why}";
    }
}
