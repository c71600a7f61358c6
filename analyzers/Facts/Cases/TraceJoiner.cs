using System.Globalization;

namespace HangTriage.Facts;

/// <summary>Decides whether a trace has the process that is judged, and where in the trace's window the capture was taken.</summary>
public static class TraceJoiner
{
    /// <param name="last">The sample that is judged.</param>
    /// <param name="trace">The trace.</param>
    public static TraceJoin Join(ProcessSnapshot last, TraceFacts trace)
    {
        ArgumentNullException.ThrowIfNull(last);
        ArgumentNullException.ThrowIfNull(trace);
        TargetFacts target = last.Target;
        if (target.Kind == TargetKind.Trace)
        {
            return TraceJoin.Alone(trace.Length);
        }

        if (!target.Pid.TryGet(out uint pid))
        {
            return TraceJoin.Refused("whether it has the process is unknown: the capture records no process id");
        }

        if (trace.Kind != TraceKind.Nettrace && (trace.Kind == TraceKind.Perf) != (target.Os == TargetOs.Linux))
        {
            return TraceJoin.Refused("it is of another system");
        }

        TraceProcess[] processes = [.. trace.Processes.Where(process => process.Pid == pid)];
        if (processes.Length == 0)
        {
            return TraceJoin.Refused(string.Create(CultureInfo.InvariantCulture, $"it has no process {pid}"));
        }

        string?[] refusals = [.. processes.Select(process => WhyNot(target, trace, process))];
        int fitting = Array.IndexOf(refusals, null);
        return fitting < 0 ? TraceJoin.Refused(refusals[0]!)
            : Moment(target, trace) is { } moment && moment.Is(at => at < TimeSpan.Zero) ? TraceJoin.Refused("the capture was taken before it begins")
            : TraceJoin.Joined(StartOf(trace, processes[fitting]) is not null && target.StartedAt.HasValue ? JoinedBy.StartTime : JoinedBy.UsersWord, Moment(target, trace));
    }

    private static string? WhyNot(TargetFacts target, TraceFacts trace, TraceProcess process)
    {
        // Linux names a thread, in 15 characters, and .NET what its command line begins with, where Windows names the image.
        if (trace.Kind == TraceKind.Etl && process.Name.TryGet(out string? name) && target.ProcessName.TryGet(out string? known) && !string.Equals(Stem(name), Stem(known), StringComparison.OrdinalIgnoreCase))
        {
            return string.Create(CultureInfo.InvariantCulture, $"its process {process.Pid} is another one: {name}, not {known}");
        }

        if (!target.StartedAt.TryGet(out DateTimeOffset started) || !trace.Start.TryGet(out DateTimeOffset start))
        {
            return null;
        }

        bool isOther = StartOf(trace, process) is { } seen
            ? (seen - started).Duration() > Thresholds.StartResolution
            : started > start + Thresholds.StartResolution;
        return isOther ? string.Create(CultureInfo.InvariantCulture, $"its process {process.Pid} is another one: the captured one started at {started:u}") : null;
    }

    private static DateTimeOffset? StartOf(TraceFacts trace, TraceProcess process)
        => process.Started.TryGet(out TimeSpan began) && trace.Start.TryGet(out DateTimeOffset start) ? start + began : null;

    private static Known<TimeSpan> Moment(TargetFacts target, TraceFacts trace)
        => !trace.Start.TryGet(out DateTimeOffset start) ? Known<TimeSpan>.Unknown(trace.Start.Gap!)
            : TimeBetween.HasClock(target) ? Known.Derived(target.CapturedAt.Value - start)
            : Known.Unknown<TimeSpan>("moment of the capture", "the capture does not record when it was taken");

    private static string Stem(string name)
    {
        string file = name[(name.LastIndexOfAny(['\\', '/']) + 1)..];
        return file.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? file[..^4] : file;
    }
}
