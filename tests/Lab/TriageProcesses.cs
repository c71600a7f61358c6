using System.Diagnostics;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Lab;

/// <summary>The processes of the tool under Wine, as Linux lists them: each Windows process is one of Linux.</summary>
internal static class TriageProcesses
{
    /// <summary>Starts the tool, and waits for nothing.</summary>
    public static Process Start(params string[] arguments)
        => Process.Start(new ProcessStartInfo("bash", [Path.Combine(Support.Repository.Root, "tests", "Lab", "lab.sh"), "triage", .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;

    /// <summary>Those of a role (a command of the tool) that have the argument.</summary>
    public static IReadOnlyList<int> Of(string role, string argument)
        => [.. Directory.EnumerateDirectories("/proc").Where(folder => IsOne(folder, role, argument)).Select(folder => int.Parse(Path.GetFileName(folder), System.Globalization.CultureInfo.InvariantCulture))];

    /// <summary>The processes of a program.</summary>
    public static IReadOnlyList<int> OfProgram(string program)
        => [.. Directory.EnumerateDirectories("/proc").Where(folder => Words(folder).Any(word => word.EndsWith($@"\{program}", StringComparison.Ordinal))).Select(folder => int.Parse(Path.GetFileName(folder), System.Globalization.CultureInfo.InvariantCulture))];

    /// <summary>Sends them all one of Linux's signals.</summary>
    public static void Signal(string name, IReadOnlyList<int> processes)
    {
        if (processes.Count > 0)
        {
            using Process kill = Process.Start("kill", [$"-{name}", .. processes.Select(process => $"{process}")]);
            kill.WaitForExit();
        }
    }

    /// <summary>Ends a process as the task manager does: at once, and without asking it.</summary>
    public static void Kill(int process)
    {
        try
        {
            using Process one = Process.GetProcessById(process);
            one.Kill();
            one.WaitForExit();
        }
        catch (ArgumentException)
        {
            // It has ended already.
        }
    }

    /// <summary>Gives a program precedence over what else this machine does, where this user may.</summary>
    public static void Hurry(string program)
    {
        foreach (int process in OfProgram(program))
        {
            string[] threads = [.. Proc.Threads(process).Select(thread => Path.GetFileName(thread))];
            using Process renice = Process.Start(new ProcessStartInfo("renice", ["-n", "-20", "-p", .. threads]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            renice.WaitForExit();
        }
    }

    private static bool IsOne(string folder, string role, string argument)
    {
        string[] words = Words(folder);
        int program = Array.FindIndex(words, word => word.EndsWith(@"\triage.exe", StringComparison.Ordinal));
        return program >= 0 && words.Length > program + 1 && words[program + 1] == role && (argument.Length == 0 || words.Contains(argument));
    }

    private static string[] Words(string folder)
        => char.IsAsciiDigit(Path.GetFileName(folder)[0])
            ? [.. Proc.Text(Path.Combine(folder, "cmdline")).Split('\0', ' ').Select(word => word.Trim('"'))]
            : [];
}
