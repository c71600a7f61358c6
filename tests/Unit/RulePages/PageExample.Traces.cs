using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about a trace of the same time.</content>
public sealed partial record PageExample
{
    private static bool IsOfTrace(string line) => WindowLine().IsMatch(line) || ReadyLine().IsMatch(line) || AroundLine().IsMatch(line) || WaitsLine().IsMatch(line) || RunsLine().IsMatch(line) || CallsLine().IsMatch(line);

    /// <summary>The case with the trace that its lines describe; the same case where no line does.</summary>
    private Case WithTrace(Case @case)
    {
        if (Facts.Select(line => WindowLine().Match(line)).FirstOrDefault(match => match.Success) is not { } window)
        {
            return @case;
        }

        TimeSpan length = Seconds(window, "length");
        uint pid = @case.Last.Target.Pid.Value;
        TraceThread[] threads =
        [
            .. Facts.Select(line => ReadyLine().Match(line)).Where(match => match.Success).Select(match => Thread(match, pid, length)),
            .. Facts.Select(line => WaitsLine().Match(line)).Where(match => match.Success).Select(match => Waits(match, pid, length)),
            .. Facts.Select(line => RunsLine().Match(line)).Where(match => match.Success).Select(match => Runs(match, pid, length)),
            .. Facts.Select(line => CallsLine().Match(line)).Where(match => match.Success).Select(match => Calls(match, pid, length)),
            .. Facts.Select(line => AroundLine().Match(line)).Where(match => match.Success).Select(match => Around(match, pid, length)),
        ];
        ProcessSnapshot last = @case.Last with
        {
            Target = @case.Last.Target with { CapturedAt = Known.Read(SyntheticTraceFacts.Start + Seconds(window, "moment")), StartedAt = Known.Unknown<DateTimeOffset>("start", "not made") },
        };
        return Case.Of([.. @case.Samples.SkipLast(1), last]).With("slow.etl", SyntheticTraceFacts.Of(length, pid, threads));
    }

    private static TraceThread Thread(Match match, uint pid, TimeSpan length)
    {
        TimeSpan from = Seconds(match, "from");
        TimeSpan ready = Seconds(match, "ready");
        Known<int> low = RankOf(match, "others");
        TraceRunners others = new(Value(match, "ran"), Value(match, "ran"), Value(match, "low"), Value(match, "high"), low, low);
        return SyntheticTraceFacts.Ready(Id(match, "id"), pid, length, new TraceReady(
            from, ready, from + ready >= length, Known.Read(Value(match, "priority")), RankOf(match, "rank"),
            Known.Unknown<TraceReadiedBy>("who readied the thread", "not made"), Known.Derived(others), Known.Read(false)));
    }

    private static TraceThread Around(Match match, uint pid, TimeSpan length)
        => SyntheticTraceFacts.Around(Id(match, "id"), pid, length, new TraceAround(Thresholds.AroundCapture * 2, Seconds(match, "runs"), Value(match, "turns"), Seconds(match, "waits")));

    private static TraceThread Waits(Match match, uint pid, TimeSpan length)
    {
        Known<string> process = match.Groups["process"].Success ? Known.Read(match.Groups["process"].Value) : Known.Unknown<string>("process name", "not made");
        uint of = match.Groups["of"].Success ? (uint)Value(match, "of") : pid;
        TraceReadiedBy by = new(new ThreadId(Id(match, "by")), Known.Read(of), process, IsDeferred: false, Known.Unknown<IReadOnlyList<string>>("stack", "not made"));
        TimeSpan waits = Seconds(match, "waits");
        return SyntheticTraceFacts.Thread(Id(match, "id"), pid, length, new TraceTimes(length - waits, TimeSpan.Zero, waits, 2)) with
        {
            LongestWait = new TraceWait(Seconds(match, "from"), waits, Known.Read("WrAlertByThreadId"), IsOpen: false, Known.Read(by), Known.Unknown<IReadOnlyList<string>>("stack", "not made")),
        };
    }

    private static TraceThread Calls(Match match, uint pid, TimeSpan length)
    {
        TimeSpan runs = Seconds(match, "runs");
        int calls = Value(match, "calls");
        TraceIo io = new(calls, match.Groups["bytes"].Success ? (long)calls * Value(match, "bytes") : 0);
        TraceThread thread = SyntheticTraceFacts.Thread(Id(match, "id"), pid, length, new TraceTimes(runs, TimeSpan.Zero, length - runs, 100));
        return match.Groups["what"].Value switch
        {
            "reads" => thread with { Reads = io },
            "writes" => thread with { Writes = io },
            string call => thread with { Registry = [new TraceCalls(call, calls)] },
        };
    }

    private static TraceThread Runs(Match match, uint pid, TimeSpan length)
    {
        TimeSpan runs = Seconds(match, "runs");
        bool isSampled = match.Groups["place"].Success;
        return SyntheticTraceFacts.Thread(Id(match, "id"), pid, length, new TraceTimes(runs, TimeSpan.Zero, length - runs, 100)) with
        {
            Samples = isSampled ? Value(match, "all") : 0,
            Functions = isSampled ? [new TraceFunction(match.Groups["place"].Value, Value(match, "there"), Value(match, "there"))] : [],
            WaitReasons = match.Groups["yields"].Success ? [new TraceWaitReason("WrYieldExecution", Value(match, "yields"), TimeSpan.Zero, IsReady: true)] : [],
        };
    }

    private static Known<int> RankOf(Match match, string name)
        => match.Groups[name].Success ? Known.Read(Value(match, name)) : Known.Unknown<int>("rank", "not recorded");

    private static int Value(Match match, string name) => int.Parse(match.Groups[name].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex("""^trace (?<length>[\d.]+) s, capture at (?<moment>[\d.]+) s$""")]
    private static partial Regex WindowLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) waits from (?<from>[\d.]+) s for (?<waits>[\d.]+) s, readied by (?<by>0x\w+)(?: of (?<process>\S+) (?<of>\d+))?$""")]
    private static partial Regex WaitsLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) runs for (?<runs>[\d.]+) s in (?<calls>\d+) (?<what>\w+)(?: of (?<bytes>\d+) bytes)?$""")]
    private static partial Regex CallsLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) runs for (?<runs>[\d.]+) s(?:, (?<there>\d+) of (?<all>\d+) samples in (?<place>\S+))?(?:, (?<yields>\d+) yields)?$""")]
    private static partial Regex RunsLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) runs for (?<runs>[\d.]+) s around the capture in (?<turns>\d+) turns, longest wait (?<waits>[\d.]+) s$""")]
    private static partial Regex AroundLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) ready at (?<from>[\d.]+) s for (?<ready>[\d.]+) s priority (?<priority>\d+)(?: rank (?<rank>\d+))?, (?<ran>\d+) ran at priority (?<low>\d+) to (?<high>\d+)(?: rank (?<others>\d+))?$""")]
    private static partial Regex ReadyLine();
}
