using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Time;

/// <summary>What the joined trace says of the captured process's threads.</summary>
internal sealed class TraceHistory
{
    private readonly Dictionary<ThreadId, TraceThread> _threads = [];

    public TraceHistory(Case @case)
    {
        if (@case.Trace is not { Join: { IsJoined: true, Moment: var at } } trace || !@case.Last.Target.Pid.TryGet(out uint pid))
        {
            return;
        }

        // An id can be used again within the window; who lived at the capture is meant.
        TimeSpan moment = at.TryGet(out TimeSpan known) && known < trace.Facts.Length ? known : trace.Facts.Length;
        foreach (TraceThread thread in trace.Facts.Threads.Where(thread => thread.Pid.Is(id => id == pid) && thread.From <= moment && thread.To >= moment))
        {
            _threads.TryAdd(thread.OsId, thread);
        }
    }

    /// <summary>Null where the trace does not have the thread, or not at the capture.</summary>
    public TraceThread? Of(ThreadId thread) => _threads.GetValueOrDefault(thread);

    /// <summary>What the trace says of those of the threads that it has.</summary>
    public IEnumerable<TraceThread> Of(IEnumerable<ThreadAssessment> threads)
        => threads.Select(thread => Of(thread.Thread.OsId)).OfType<TraceThread>();

    /// <summary>What the thread did around the capture, where that shows that it was not blocked; else null.</summary>
    public TraceAround? RunOf(ThreadId thread)
        => Of(thread)?.Around is { } around && around.TryGet(out TraceAround? seen) && seen.HasRun ? seen : null;
}
