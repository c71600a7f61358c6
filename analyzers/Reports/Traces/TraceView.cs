using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Traces;

/// <summary>What is shown of a trace, whatever the format.</summary>
internal sealed class TraceView(TraceFacts trace, string file, uint? pid)
{
    private const int MostProcesses = 15;
    private const int MostThreads = 20;
    private const int MostReaders = 10;

    public string Headline => pid is { } id ? $"{file}: process {id}" : $"{file}: what ran, and what waited";

    /// <summary>Lines about the recording itself.</summary>
    public IEnumerable<(string Name, string Value)> Facts()
    {
        string start = trace.Start.TryGet(out DateTimeOffset moment) ? moment.ToString("u", CultureInfo.InvariantCulture) : "an unknown time";
        yield return ("Window", $"{Durations.Of(trace.Length)} from {start}");
        yield return ("Processors", trace.Processors.TryGet(out int processors) ? Number(processors) : "unknown");
        yield return ("Lost", $"{Lost(trace.LostEvents)} events, {Lost(trace.LostBuffers)} buffers");
        yield return ("Events", $"{Number(trace.Events.Sum(count => count.Count))}, of which {Number(trace.Events.Where(count => !count.IsDecoded).Sum(count => count.Count))} are counted and not decoded");
        yield return ("Switches", trace.Switches.TryGet(out long switches) ? Number(switches) : trace.Switches.Gap!.Why);
        foreach (Gap gap in trace.Gaps)
        {
            yield return ("Not seen", $"{gap.What}: {gap.Why}");
        }
    }

    public IEnumerable<TraceTable> Tables()
    {
        TraceThread[] threads = [.. trace.Threads.Where(thread => pid is null || thread.Pid.Is(id => id == pid))];
        yield return Processes();
        yield return Delayed(threads);
        if (pid is not null)
        {
            yield return ThreadsOf(threads);
        }

        foreach (TraceTable table in new[] { pid is null ? null : WaitTables.Longest(threads), Readiers(), Contentions(), RuntimeTables.HandleWaits(trace, pid), RuntimeTables.Runtimes(trace, pid), Files(), WaitTables.Tags(threads), Functions(threads) }.OfType<TraceTable>())
        {
            yield return table;
        }
    }

    private TraceTable Processes()
    {
        TraceProcess[] shown = [.. trace.Processes.Where(process => pid is null || process.Pid == pid)];
        return new TraceTable(
            "Processes",
            ["pid", "name", "CPU", "samples", "threads", "reads", "writes", "registry calls"],
            [
                .. shown.Take(MostProcesses).Select(process => (string[])
                [
                    Id(process.Pid), Text(process.Name), process.Cpu.TryGet(out TimeSpan cpu) ? Durations.Of(cpu) : "?", Number(process.Samples), Number(process.Threads),
                    Io(process.Reads), Io(process.Writes), Number(process.Registry.Sum(calls => calls.Count)),
                ]),
            ],
            More(shown.Length, MostProcesses));
    }

    private static TraceTable Delayed(TraceThread[] threads)
    {
        TraceThread[] delayed = [.. threads.Where(thread => thread.LongestReady is not null).OrderByDescending(thread => thread.LongestReady!.Length).ThenBy(thread => thread.OsId)];
        return new TraceTable(
            "Ready and not running for longest",
            ["thread", "pid", "ready for", "at", "priority", "rank", "readied by", "who ran meanwhile"],
            [.. delayed.Take(MostThreads).Select(thread => Row(thread, thread.LongestReady!))],
            delayed.Length == 0 ? "No thread was ready without running, or the trace has no context switches." : More(delayed.Length, MostThreads));
    }

    private static string[] Row(TraceThread thread, TraceReady ready) =>
    [
        Name(thread), thread.Pid.TryGet(out uint id) ? Id(id) : "?", Durations.Of(ready.Length) + (ready.IsOpen ? " (to the end)" : ""), At(ready.From),
        Value(ready.Priority), Value(ready.Rank), By(ready.By),
        ready.Others.TryGet(out TraceRunners? others) ? string.Create(CultureInfo.InvariantCulture, $"{others.Count} threads of priority {others.LowestPriority} to {others.HighestPriority}") : "",
    ];

    private static TraceTable ThreadsOf(TraceThread[] threads) => new(
        "Threads",
        ["thread", "running", "ready", "waiting", "switches", "mostly for", "longest wait", "at", "why", "ended by"],
        [.. threads.OrderByDescending(thread => thread.Times.TryGet(out TraceTimes? times) ? times.Running : TimeSpan.Zero).ThenBy(thread => thread.OsId).Take(MostThreads).Select(Row)],
        More(threads.Length, MostThreads));

    private static string[] Row(TraceThread thread)
    {
        TraceTimes? times = thread.Times.TryGet(out TraceTimes? known) ? known : null;
        TraceWait? wait = thread.LongestWait;
        return
        [
            Name(thread), times is null ? "?" : Durations.Of(times.Running), times is null ? "?" : Durations.Of(times.Ready), times is null ? "?" : Durations.Of(times.Waiting),
            times is null ? "?" : Number(times.Switches), thread.WaitReasons is [{ } reason, ..] ? reason.Name : "",
            wait is null ? "" : Durations.Of(wait.Length) + (wait.IsOpen ? " (to the end)" : ""), wait is null ? "" : At(wait.From), wait is null ? "" : Text(wait.Reason), wait is null ? "" : By(wait.By),
        ];
    }

    private TraceTable? Readiers()
    {
        TraceReadier[] shown = [.. trace.Readiers.Where(readier => pid is null || readier.Pid == pid)];
        return shown.Length == 0 ? null : new TraceTable(
            "Waits that another process ended",
            ["pid", "ended by", "waits", "time", "longest"],
            [.. shown.Take(MostReaders).Select(readier => (string[])[Id(readier.Pid), $"{Text(readier.ByName)} ({readier.ByPid})", Number(readier.Waits), Durations.Of(readier.Time), Durations.Of(readier.Longest)])],
            "What several threads waited at once counts once. " + More(shown.Length, MostReaders));
    }

    private TraceTable? Contentions()
    {
        TraceContention[] shown = [.. trace.Contentions.Where(contention => pid is null || contention.Pid == pid)];
        return shown.Length == 0 ? null : new TraceTable(
            ".NET locks that threads waited for",
            ["pid", "waiter", "owner", "lock", "waits", "longest"],
            [.. shown.Take(MostReaders).Select(contention => (string[])[Id(contention.Pid), contention.Waiter.ToString(), Value(contention.Owner), Value(contention.Lock), Number(contention.Count), contention.Longest.TryGet(out TimeSpan longest) ? Durations.Of(longest) : "not ended"])],
            More(shown.Length, MostReaders));
    }

    private TraceTable? Files()
    {
        (uint Pid, TraceFileUse Use)[] shown = [.. trace.Processes.Where(process => pid is null || process.Pid == pid).SelectMany(process => process.Files.Select(use => (process.Pid, use))).OrderByDescending(pair => pair.use.Reads.Calls + pair.use.Writes.Calls)];
        return shown.Length == 0 ? null : new TraceTable(
            "Files",
            ["pid", "file", "reads", "writes"],
            [.. shown.Take(MostReaders).Select(pair => (string[])[Id(pair.Pid), Text(pair.Use.Name), Io(pair.Use.Reads), Io(pair.Use.Writes)])],
            More(shown.Length, MostReaders));
    }

    private static TraceTable? Functions(TraceThread[] threads)
    {
        (TraceThread Thread, TraceFunction Function)[] shown = [.. threads.SelectMany(thread => thread.Functions.Take(3).Select(function => (thread, function))).OrderByDescending(pair => pair.function.Self)];
        return shown.Length == 0 ? null : new TraceTable(
            "Where samples were",
            ["thread", "pid", "function", "on top", "on the stack", "of samples"],
            [.. shown.Take(MostReaders).Select(pair => (string[])[Name(pair.Thread), pair.Thread.Pid.TryGet(out uint id) ? Id(id) : "?", pair.Function.Name, Number(pair.Function.Self), Number(pair.Function.Inclusive), Number(pair.Thread.Samples)])],
            More(shown.Length, MostReaders));
    }

    private static string More(int count, int shown) => count > shown ? string.Create(CultureInfo.InvariantCulture, $"... and {count - shown} more.") : "";

    private static string Name(TraceThread thread) => thread.Name.TryGet(out string? name) ? $"{thread.OsId} \"{name}\"" : thread.OsId.ToString();

    private static string By(Known<TraceReadiedBy> known)
        => known.TryGet(out TraceReadiedBy? by) ? $"{by.Thread} of {Text(by.ProcessName)}{(by.IsDeferred ? " (deferred call)" : "")}" : "";

    private static string Io(TraceIo io) => io.Calls == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"{io.Calls:#,0} of {io.Mean:0.#} bytes on average");

    private static string At(TimeSpan moment) => string.Create(CultureInfo.InvariantCulture, $"{moment.TotalSeconds:0.000} s");

    private static string Text(Known<string> text) => text.TryGet(out string? value) ? value : "?";

    private static string Value<T>(Known<T> known)
        where T : struct
        => known.TryGet(out T value) ? value.ToString()! : "?";

    private static string Lost(Known<long> lost) => lost.TryGet(out long count) ? Number(count) : "unknown";

    private static string Id(uint id) => id.ToString(CultureInfo.InvariantCulture);

    private static string Number(long number) => number.ToString("#,0", CultureInfo.InvariantCulture);
}
