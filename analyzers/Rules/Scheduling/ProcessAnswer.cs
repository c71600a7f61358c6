using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>Long waits of threads that one other process ended.</summary>
/// <param name="Pid">That process.</param>
/// <param name="Name">Its name, with its id.</param>
/// <param name="Waiters">The threads, the longest wait first.</param>
internal sealed record ProcessAnswer(uint Pid, string Name, IReadOnlyList<TraceThread> Waiters)
{
    /// <summary>The kernel's own process of Windows: its workers end waits for drivers and devices.</summary>
    private const uint System = 4;

    public TraceWait Longest => Waiters[0].LongestWait!;

    public TraceReadiedBy By => Longest.By.Value;

    /// <summary>Null where the wait is open, or was ended by a timer, a device, the kernel or the process itself.</summary>
    public static uint? ProcessOf(TraceThread waiter)
        => waiter.LongestWait is { IsOpen: false, By: var known }
            && known.TryGet(out TraceReadiedBy? by)
            && !by.IsDeferred
            && by.Pid.TryGet(out uint pid)
            && pid is not (0 or System)
            && !waiter.Pid.Is(own => own == pid) ? pid : null;

    public static ProcessAnswer Of(uint pid, IEnumerable<TraceThread> waiters)
    {
        TraceThread[] longestFirst = [.. waiters.OrderByDescending(waiter => waiter.LongestWait!.Length).ThenBy(waiter => waiter.OsId)];
        string name = longestFirst[0].LongestWait!.By.Value.ProcessName.TryGet(out string? known) ? $"{known} ({pid})" : $"process {pid}";
        return new ProcessAnswer(pid, name, longestFirst);
    }
}
