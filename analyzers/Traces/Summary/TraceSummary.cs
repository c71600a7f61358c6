using HangTriage.Facts;
using HangTriage.Traces.Tags;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Makes the facts of what a builder gathered.</summary>
internal sealed class TraceSummary(TraceBuilder builder, StackTags? tags)
{
    /// <summary>Registry calls, files and functions of one process or thread that are named; the totals have all.</summary>
    internal const int MostNamed = 20;

    private readonly ThreadSummary _threads = new(builder, tags ?? StackTags.BuiltIn());

    public required TraceKind Kind { get; init; }

    /// <summary>World time of the first event.</summary>
    public required Known<DateTimeOffset> Start { get; init; }

    public required Known<int> Processors { get; init; }

    public required Known<long> LostEvents { get; init; }

    public required Known<long> LostBuffers { get; init; }

    public required IReadOnlyList<Gap> Gaps { get; init; }

    public TraceFacts Facts()
    {
        TraceThread[] threads = [.. builder.Threads.All.Select(_threads.Of)];
        ILookup<ProcessLine?, ThreadLine> byProcess = builder.Threads.All.ToLookup(line => line.Process);
        return new TraceFacts
        {
            Kind = Kind,
            Start = Start,
            Length = new TimeSpan(builder.Now),
            Processors = Processors,
            LostEvents = LostEvents,
            LostBuffers = LostBuffers,
            Events = builder.Events.Facts(),
            Stacks = new TraceStackCounts(builder.Stacks.Walks, builder.Stacks.Joined, builder.Tree.References, builder.Tree.Resolved),
            Switches = _threads.HasSwitches ? Known.Read(builder.Scheduler.Switches) : Known<long>.Unknown(ThreadSummary.NoSwitches),
            Processes = [.. builder.Processes.All.Select(line => ProcessSummary.Of(line, [.. byProcess[line]], builder, _threads.HasSwitches)).OrderByDescending(Weight).ThenBy(process => process.Pid)],
            Threads = [.. threads.OrderByDescending(thread => thread.LongestReady?.Length ?? TimeSpan.Zero).ThenBy(thread => thread.OsId)],
            Readiers = Readiers(),
            Contentions = RuntimeSummary.Contentions(builder.Processes.All),
            HandleWaits = RuntimeSummary.HandleWaits(builder.Processes.All),
            Runtimes = RuntimeSummary.Runtimes(builder.Processes.All),
            Gaps = [.. Gaps, .. Dropped()],
        };
    }

    private static (TimeSpan Cpu, long Samples) Weight(TraceProcess process) => (process.Cpu.TryGet(out TimeSpan cpu) ? cpu : TimeSpan.Zero, process.Samples);

    private TraceReadier[] Readiers() =>
    [
        .. builder.Ledger.Pairs
            .Select(pair => new TraceReadier(
                pair.Key.Waiter.Pid, pair.Key.By.Pid, ThreadSummary.NameOf(pair.Key.By), pair.Value.Count, new TimeSpan(pair.Value.Time), new TimeSpan(pair.Value.Longest)))
            .OrderByDescending(readier => readier.Time).ThenBy(readier => readier.Pid).ThenBy(readier => readier.ByPid),
    ];

    private IEnumerable<Gap> Dropped()
    {
        (long Count, string What)[] dropped =
        [
            (builder.Threads.Dropped, "threads"), (builder.Processes.Dropped, "processes, images and methods"),
            (builder.Tree.Dropped, "stacks"), (builder.Files.Dropped, "names of files"),
        ];
        foreach ((long count, string what) in dropped.Where(pair => pair.Count > 0))
        {
            yield return new Gap(what, $"the trace has more than are kept; {count} events that name others are left out");
        }

        if (builder.Scheduler.Contradictions > 0)
        {
            yield return new Gap("context switches", $"{builder.Scheduler.Contradictions} switches contradict those before them: events between them are missing, and times of the threads concerned are not exact");
        }
    }
}
