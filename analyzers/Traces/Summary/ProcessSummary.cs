using HangTriage.Facts;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Makes the facts of a process.</summary>
internal static class ProcessSummary
{
    public static TraceProcess Of(ProcessLine line, IReadOnlyList<ThreadLine> threads, TraceBuilder builder, bool hasSwitches)
    {
        Dictionary<ulong, FileCount> files = FilesOf(threads);
        FileCount total = new();
        foreach (ThreadLine thread in threads.Where(thread => thread.Io is not null))
        {
            total.Add(thread.Io!.Total);
        }

        return new TraceProcess
        {
            Pid = line.Pid,
            Name = ThreadSummary.NameOf(line),
            Started = line.From is { } from ? Known.Read(new TimeSpan(from)) : Known.Unknown<TimeSpan>("start of the process", "it ran before the trace began"),
            Ended = line.To is { } to ? Known.Read(new TimeSpan(to)) : Known.Unknown<TimeSpan>("end of the process", "it still ran when the trace ended"),
            Cpu = hasSwitches ? Known.Derived(new TimeSpan(threads.Sum(thread => thread.Running))) : Known<TimeSpan>.Unknown(ThreadSummary.NoSwitches),
            Samples = threads.Sum(thread => thread.Samples?.Total ?? 0),
            Threads = threads.Count,
            Reads = new TraceIo(total.Reads, total.ReadBytes),
            Writes = new TraceIo(total.Writes, total.WrittenBytes),
            Registry = RegistryOf(threads),
            Files = [.. files.OrderByDescending(pair => pair.Value.Reads + pair.Value.Writes).ThenBy(pair => pair.Key).Take(TraceSummary.MostNamed).Select(pair => FileOf(pair.Key, pair.Value, builder))],
            Frozen = new TimeSpan(line.Frozen),
        };
    }

    private static Dictionary<ulong, FileCount> FilesOf(IReadOnlyList<ThreadLine> threads)
    {
        Dictionary<ulong, FileCount> files = [];
        foreach ((ulong key, FileCount count) in threads.SelectMany(thread => thread.Io?.Files ?? new Dictionary<ulong, FileCount>()))
        {
            if (!files.TryGetValue(key, out FileCount? sum))
            {
                files.Add(key, sum = new FileCount());
            }

            sum.Add(count);
        }

        return files;
    }

    private static TraceFileUse FileOf(ulong key, FileCount count, TraceBuilder builder) => new(
        builder.Files.Find(key) is { } name ? Known.Read(name) : Known.Unknown<string>("name of the file", "no event of the trace names it"),
        new TraceIo(count.Reads, count.ReadBytes),
        new TraceIo(count.Writes, count.WrittenBytes));

    public static TraceCalls[] RegistryOf(IReadOnlyList<ThreadLine> threads) =>
    [
        .. threads.Where(thread => thread.Io is not null)
            .SelectMany(thread => thread.Io!.Registry)
            .GroupBy(pair => pair.Key, StringComparer.Ordinal)
            .Select(calls => new TraceCalls(calls.Key, calls.Sum(pair => pair.Value)))
            .OrderByDescending(calls => calls.Count).ThenBy(calls => calls.Name, StringComparer.Ordinal),
    ];
}
