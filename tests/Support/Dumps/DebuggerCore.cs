using System.Diagnostics;

namespace HangTriage.Tests.Support.Dumps;

/// <summary>Has gdb write a core, which leaves out what a process only read from files, as the kernel's cores do.</summary>
public static class DebuggerCore
{
    private const string Program = "gcore";
    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(2);

    /// <summary>Starts the program, waits for its READY line, and writes its core; skips the test where gdb is not there.</summary>
    public static async Task WriteAsync(string program, string file, CancellationToken cancellation)
        => await DumpTool.DumpAsync(program, [], cancellation, process => Write(process.Id, file));

    private static void Write(int process, string file)
    {
        ProcessStartInfo start = new(Program) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add("-o");
        start.ArgumentList.Add(file);
        start.ArgumentList.Add($"{process}");
        using Process debugger = Start(start);
        Task<string> errors = debugger.StandardError.ReadToEndAsync();
        debugger.StandardOutput.ReadToEnd();
        if (!debugger.WaitForExit(s_bound) || debugger.ExitCode != 0)
        {
            throw new InvalidOperationException($"gcore wrote no core: {errors.Result}");
        }

        File.Move($"{file}.{process}", file);
        SparseFile.DigHoles(file);
    }

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Skip.Because("gcore (of the Debian package gdb) is not installed");
            throw;
        }
    }
}
