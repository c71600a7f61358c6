using HangTriage.Facts;

namespace HangTriage.Reports.Traces;

/// <summary>Chooses the threads that matter, and draws them for a terminal.</summary>
internal static class Timelines
{
    private const int MostThreads = 8;
    private const int MostReaders = 4;
    private const int Columns = 60;

    /// <summary>Those that were ready without running, that waited until somebody let them go, and that ran; then those that let them go.</summary>
    /// <param name="trace">The trace.</param>
    /// <param name="pid">The process to tell of; null for all.</param>
    public static IReadOnlyList<ThreadBar> Of(TraceFacts trace, uint? pid)
    {
        TraceThread[] chosen =
        [
            .. trace.Threads
                .Where(thread => thread.Timeline.Count > 0 && (pid is null || thread.Pid.Is(id => id == pid)))
                .OrderByDescending(Weight).ThenBy(thread => thread.OsId)
                .Take(MostThreads),
        ];
        HashSet<ThreadId> wakers = [.. chosen.Select(thread => thread.LongestWait?.By).Where(by => by?.HasValue == true).Select(by => by!.Value.Thread)];
        IEnumerable<TraceThread> others = trace.Threads.Where(thread => wakers.Contains(thread.OsId) && thread.Timeline.Count > 0 && !chosen.Contains(thread)).Take(MostReaders);
        return [.. chosen.Concat(others).Select(thread => new ThreadBar(NameOf(trace, thread, pid), thread))];
    }

    /// <summary>One letter for each part of the window: # runs, ! is ready, . waits; a blank for shorter times and where it did not live.</summary>
    public static string Draw(TraceThread thread, TimeSpan window)
    {
        char[] bar = new string(' ', Columns).ToCharArray();
        foreach (TracePiece piece in thread.Timeline.OrderBy(piece => piece.State))
        {
            int first = ColumnOf(piece.From, window);
            int last = Math.Max(first, ColumnOf(piece.From + piece.Length, window) - 1);
            Array.Fill(bar, LetterOf(piece.State), first, last - first + 1);
        }

        return $"|{new string(bar)}|";
    }

    private static TimeSpan Weight(TraceThread thread)
    {
        TimeSpan running = thread.Times.TryGet(out TraceTimes? times) ? times.Running : TimeSpan.Zero;
        bool isLetGo = thread.LongestWait is { IsOpen: false, By: var known } && known.TryGet(out TraceReadiedBy? by) && !by.IsDeferred;
        return running + ((thread.LongestReady?.Length ?? TimeSpan.Zero) * 2) + (isLetGo ? thread.LongestWait!.Length : TimeSpan.Zero);
    }

    private static string NameOf(TraceFacts trace, TraceThread thread, uint? pid)
    {
        string name = thread.Name.TryGet(out string? known) ? $"{thread.OsId} \"{known}\"" : thread.OsId.ToString();
        bool isOther = !thread.Pid.TryGet(out uint own) || own != pid;
        string? process = trace.Processes.FirstOrDefault(process => thread.Pid.Is(id => id == process.Pid))?.Name is { HasValue: true } image ? image.Value : null;
        return isOther && process is not null ? $"{name} of {process}" : name;
    }

    private static int ColumnOf(TimeSpan at, TimeSpan window) => window <= TimeSpan.Zero ? 0 : Math.Clamp((int)(at / window * Columns), 0, Columns - 1);

    private static char LetterOf(TraceThreadState state) => state switch
    {
        TraceThreadState.Running => '#',
        TraceThreadState.Ready => '!',
        _ => '.',
    };
}
