using HangTriage.Facts;
using HangTriage.Traces.Tags;
using HangTriage.Traces.Timeline;

namespace HangTriage.Traces.Summary;

/// <summary>Makes the facts of threads.</summary>
internal sealed class ThreadSummary(TraceBuilder builder, StackTags tags)
{
    public static Gap NoSwitches { get; } = new("context switches", "the trace has none: record the event CSwitch (on Linux sched_switch)");

    private readonly FunctionSummary _functions = new(builder, tags);

    public bool HasSwitches { get; } = builder.Scheduler.Switches > 0;

    public TraceThread Of(ThreadLine line) => new()
    {
        OsId = line.Id,
        Pid = PidOf(line.Process),
        Name = line.Name is { Length: > 0 } name ? Known.Read(name) : Known.Unknown<string>("thread name", "not recorded, or the thread has none"),
        From = new TimeSpan(line.From),
        To = new TimeSpan(line.To ?? builder.Now),
        IsStartSeen = line.IsStartSeen,
        IsEndSeen = line.IsEndSeen,
        Times = HasSwitches
            ? Known.Derived(new TraceTimes(new TimeSpan(line.Running), new TimeSpan(line.Ready), new TimeSpan(line.Waiting), line.Switches))
            : Known<TraceTimes>.Unknown(NoSwitches),
        WaitReasons = [.. line.Reasons.Select(reason => new TraceWaitReason(reason.Name, reason.Count, new TimeSpan(reason.Time), reason.IsReady)).OrderByDescending(reason => reason.Time).ThenBy(reason => reason.Name, StringComparer.Ordinal)],
        Priority = line.Priority is { } priority ? Known.Read(priority) : Known.Unknown<int>("priority", "the thread is not switched to within the trace"),
        Rank = Rank(line.Rank),
        LongestWait = HasSwitches && line.LongestWait is { } wait ? Wait(line, wait) : null,
        LongestReady = HasSwitches && line.LongestReady is { } ready ? Ready(line, ready) : null,
        Partners = [.. line.Partners.OrderByDescending(partner => partner.Count).ThenBy(partner => partner.First).Select(Of)],
        Timeline = HasSwitches ? line.Pieces.InOrder : [],
        Moment = HasSwitches && line.Moment is { } moment ? Known.Derived(moment)
            : Known<TraceMoment>.Unknown(HasSwitches ? new Gap("state of the thread", "no event of the trace tells it") : NoSwitches),
        Around = Around(line),
        Samples = line.Samples?.Total ?? 0,
        Functions = line.Samples is { } samples ? _functions.Of(samples, line.Process) : [],
        Tags = line.Samples is { } tagged ? _functions.TagsOf(tagged, line.Process) : [],
        Reads = line.Io is { Total: { } io } ? new TraceIo(io.Reads, io.ReadBytes) : TraceIo.None,
        Writes = line.Io is { Total: { } total } ? new TraceIo(total.Writes, total.WrittenBytes) : TraceIo.None,
        Registry = ProcessSummary.RegistryOf([line]),
    };

    public static Known<string> NameOf(ProcessLine? process)
        => process?.Name is { Length: > 0 } name ? Known.Read(name) : Known.Unknown<string>("process name", "the trace does not name the process");

    private Known<TraceAround> Around(ThreadLine line)
    {
        if (!HasSwitches || builder.Scheduler.Around is not { } span || span.From < line.From || span.To > (line.To ?? builder.Now))
        {
            return Known<TraceAround>.Unknown(HasSwitches ? new Gap("what the thread did around the capture", "the trace does not have all of that time, or when the capture was taken is unknown") : NoSwitches);
        }

        AroundCount count = line.Around ?? new AroundCount();
        return Known.Derived(new TraceAround(new TimeSpan(span.To - span.From), new TimeSpan(count.Running), count.Switches, new TimeSpan(count.LongestWait)));
    }

    private static Known<uint> PidOf(ProcessLine? process)
        => process is not null ? Known.Read(process.Pid) : Known.Unknown<uint>("process of the thread", "no event of the trace names it");

    private static TracePartner Of(PartnerCount partner) => new(
        partner.By is { } by
            ? Known.Read(by.Id)
            : Known.Unknown<ThreadId>("who readied the thread", "no thread did: a timer or a device, or the trace does not have it"),
        PidOf(partner.By?.Process),
        NameOf(partner.By?.Process),
        partner.IsDeferred,
        partner.Count,
        new TimeSpan(partner.First),
        new TimeSpan(partner.Last),
        new TimeSpan(partner.LongestBetween));

    private TraceWait Wait(ThreadLine line, LongWait wait) => new(
        new TimeSpan(wait.From),
        new TimeSpan(wait.Length),
        wait.Reason is { } reason ? Known.Read(reason) : Known.Unknown<string>("wait reason", "the thread waited before the trace began"),
        wait.IsOpen,
        wait.IsOpen ? Known.Unknown<TraceReadiedBy>("who readied the thread", "nobody did before the trace's end") : By(wait.By),
        _functions.Stack(wait.Stack, line.Process)) { Tag = _functions.TagOf(wait.Stack, line.Process) };

    private TraceReady Ready(ThreadLine line, LongReady ready) => new(
        new TimeSpan(ready.From),
        new TimeSpan(ready.Length),
        ready.IsOpen,
        (ready.Priority ?? line.Priority) is { } priority ? Known.Read(priority) : Known.Unknown<int>("priority", "the thread is not switched to within the trace"),
        Rank(ready.Rank),
        ready.By is null ? Known.Unknown<TraceReadiedBy>("who readied the thread", "it was preempted, or the event is not in the trace") : By(ready.By),
        ready.Others is { } others ? Known.Derived(others) : Known.Unknown<TraceRunners>("who ran meanwhile", "not looked at: the time is short"),
        ready.By?.IsPagedOut is { } isPagedOut ? Known.Read(isPagedOut) : Known.Unknown<bool>("paged-out stack", "the event that readied the thread does not tell"));

    private Known<TraceReadiedBy> By(Readied? found)
    {
        if (found is not { } readied)
        {
            return Known.Unknown<TraceReadiedBy>("who readied the thread", builder.Scheduler.Readies > 0 ? "the event is not in the trace" : "the trace has no such events: record ReadyThread (on Linux sched_wakeup)");
        }

        if (readied.By is not { } by)
        {
            return Known.Unknown<TraceReadiedBy>("who readied the thread", readied.IsDeferred ? "a deferred call of the kernel (timer, device) on an idle processor" : "what ran on the processor is not in the trace");
        }

        StackRef stack = readied.Stack?.Stack ?? default;
        return Known.Read(new TraceReadiedBy(by.Id, PidOf(by.Process), NameOf(by.Process), readied.IsDeferred, _functions.Stack(stack, by.Process)) { Tag = _functions.TagOf(stack, by.Process) });
    }

    private Known<int> Rank(int? rank)
        => builder.Scheduler.HasRanks && rank is { } known ? Known.Read(known)
            : Known.Unknown<int>("rank", builder.Scheduler.HasRanks ? "the thread is not switched out within the trace" : Runners.RankGap);
}
