using System.Globalization;
using HangTriage.Cli.Running;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>The processes of the tool that take samples, one each.</summary>
internal static class Samplers
{
    private const int ContinueSignal = 18;
    private const int StopSignal = 19;

    /// <summary>Those that a process of the tool has at this moment.</summary>
    public static IReadOnlyList<int> Below(int tool)
        =>
        [
            .. Children(tool)
                .Where(child => Text($"/proc/{child}/cmdline").Contains("\0sample\0", StringComparison.Ordinal))
                .Select(child => int.Parse(child, CultureInfo.InvariantCulture)),
        ];

    /// <summary>The processor time that one has used; null where it has ended.</summary>
    public static TimeSpan? Used(int sampler)
        => Text($"/proc/{sampler}/stat") is { Length: > 0 } stat && stat[(stat.LastIndexOf(')') + 2)..].Split(' ') is var fields && fields[0] is not ("Z" or "X")
            ? TimeSpan.FromMilliseconds(10 * (long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture)))
            : null;

    /// <summary>Who holds a thread of that process in a stop; 0 for nobody.</summary>
    public static int HolderOf(int process)
        => Threads(process)
            .Select(thread => Text(Path.Combine(thread, "status")).Split('\n').FirstOrDefault(line => line.StartsWith("TracerPid:", StringComparison.Ordinal)))
            .Select(line => line is null ? 0 : int.Parse(line["TracerPid:".Length..], CultureInfo.InvariantCulture))
            .FirstOrDefault(tracer => tracer != 0);

    /// <summary>Has them stand still, and waits until they do.</summary>
    public static void Stop(IReadOnlyList<int> samplers)
    {
        Signal(samplers, StopSignal);
        SpinWait.SpinUntil(() => samplers.All(sampler => Threads(sampler).All(thread => StateOf(thread) is 'T' or 't' or 'Z' or 'X')));
    }

    public static void Continue(IReadOnlyList<int> samplers) => Signal(samplers, ContinueSignal);

    private static void Signal(IReadOnlyList<int> processes, int signal)
    {
        foreach (int process in processes)
        {
            _ = SystemCalls.Signal(process, signal);
        }
    }

    private static string[] Threads(int process)
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

    private static char StateOf(string thread) => Text(Path.Combine(thread, "stat")) is { Length: > 0 } stat ? stat[stat.LastIndexOf(')') + 2] : 'X';

    private static IEnumerable<string> Children(int process)
        => Threads(process)
            .SelectMany(thread => Text(Path.Combine(thread, "children")).Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static string Text(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (IOException)
        {
            // Whom it is of has ended.
            return string.Empty;
        }
    }
}
