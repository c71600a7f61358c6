using System.Globalization;

namespace HangTriage.Tests.Support.Waiting;

/// <summary>What Linux says of processes and threads (proc(5)). Of one that has ended, or on another system, it says nothing.</summary>
public static class Proc
{
    // Behind the name, which can hold spaces and brackets: the state, and eleven fields on, in ticks of 10 ms, what was used in user and
    // kernel mode.
    private const int UserTicks = 11;
    private const int KernelTicks = 12;
    private const int MillisecondsOfTick = 10;

    /// <summary>The folders of a process's threads.</summary>
    public static IReadOnlyList<string> Threads(int process)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{process}/task");
        }
        catch (IOException)
        {
            return [];
        }
    }

    public static IEnumerable<int> Children(int process)
        => Threads(process)
            .SelectMany(thread => Text($"{thread}/children").Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(child => int.Parse(child, CultureInfo.InvariantCulture));

    /// <summary>It is there, and not only as what its parent has not asked for yet.</summary>
    public static bool Runs(int process) => StateOf($"/proc/{process}") is not ('Z' or 'X');

    /// <param name="folder">Of a process or a thread.</param>
    /// <returns>The letter of its state; X where it has ended.</returns>
    public static char StateOf(string folder) => Fields(folder) is [{ } state, ..] ? state[0] : 'X';

    /// <param name="folder">Of a process or a thread.</param>
    /// <returns>The processor time that it has used; null where it has ended.</returns>
    public static TimeSpan? Used(string folder)
        => Fields(folder) is { Length: > KernelTicks } fields && StateOf(folder) is not ('Z' or 'X')
            ? TimeSpan.FromMilliseconds(MillisecondsOfTick * (long.Parse(fields[UserTicks],
                CultureInfo.InvariantCulture) + long.Parse(fields[KernelTicks], CultureInfo.InvariantCulture)))
            : null;

    /// <param name="folder">Of a process or a thread.</param>
    /// <param name="name">Of a line of its status, as "TracerPid".</param>
    /// <returns>What stands there; null where it has ended.</returns>
    public static string? Status(string folder, string name)
        => Text($"{folder}/status").Split('\n')
            .FirstOrDefault(line => line.StartsWith($"{name}:", StringComparison.Ordinal))?[(name.Length + 1)..].Trim();

    public static string Text(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return string.Empty;
        }
    }

    private static string[] Fields(string folder)
        => Text($"{folder}/stat") is { Length: > 0 } stat ? stat[(stat.LastIndexOf(')') + 2)..].Split(' ') : [];
}
