using System.Globalization;
using HangTriage.Cli.Running;
using HangTriage.Tests.Support.Waiting;

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
            .. Proc.Children(tool).Where(child => Proc.Text($"/proc/{child}/cmdline").Contains("\0sample\0", StringComparison.Ordinal)),
        ];

    /// <summary>The processor time that one has used; null where it has ended.</summary>
    public static TimeSpan? Used(int sampler) => Proc.Used($"/proc/{sampler}");

    /// <summary>Who holds a thread of that process in a stop; 0 for nobody.</summary>
    public static int HolderOf(int process)
        => Proc.Threads(process)
            .Select(thread => int.Parse(Proc.Status(thread, "TracerPid") ?? "0", CultureInfo.InvariantCulture))
            .FirstOrDefault(tracer => tracer != 0);

    /// <summary>Has them stand still, and waits until they do.</summary>
    public static void Stop(IReadOnlyList<int> samplers)
    {
        Signal(samplers, StopSignal);
        SpinWait.SpinUntil(() => samplers
            .All(sampler => Proc.Threads(sampler).All(thread => Proc.StateOf(thread) is 'T' or 't' or 'Z' or 'X')));
    }

    public static void Continue(IReadOnlyList<int> samplers) => Signal(samplers, ContinueSignal);

    private static void Signal(IReadOnlyList<int> processes, int signal)
    {
        foreach (int process in processes)
        {
            _ = SystemCalls.Signal(process, signal);
        }
    }
}
