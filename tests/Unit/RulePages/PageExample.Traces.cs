using System.Globalization;
using System.Text.RegularExpressions;
using HangTriage.Facts;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.RulePages;

/// <content>Lines about a trace of the same time.</content>
public sealed partial record PageExample
{
    private static bool IsOfTrace(string line)
        => WindowLine().IsMatch(line) || ReadyLine().IsMatch(line) || AroundLine().IsMatch(line) || WaitsLine().IsMatch(line) || RunsLine()
            .IsMatch(line) || CallsLine().IsMatch(line)
            || AloneLine().IsMatch(line) || PartnerLine().IsMatch(line) || TurnsLine().IsMatch(line);

    /// <summary>The case with the trace that its lines describe; the same case where no line does.</summary>
    private Case WithTrace(Case @case)
    {
        Match? alone = Facts.Select(line => AloneLine().Match(line)).FirstOrDefault(match => match.Success);
        if ((alone ?? Facts.Select(line => WindowLine().Match(line)).FirstOrDefault(match => match.Success)) is not { } window)
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
            .. Facts.Select(line => PartnerLine().Match(line)).Where(match => match.Success).Select(match => Readied(match, pid, length)),
            .. Facts.Select(line => TurnsLine().Match(line)).Where(match => match.Success).Select(match => TakesTurns(match, pid, length)),
            .. Facts.Select(line => AroundLine().Match(line)).Where(match => match.Success).Select(match => Around(match, pid, length)),
        ];
        if (alone is not null)
        {
            return Case.OfTrace("slow.etl", SyntheticTraceFacts.Of(length, pid, threads), pid);
        }

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

    private static TraceThread Readied(Match match, uint pid, TimeSpan length)
    {
        TimeSpan until = Seconds(match, "until");
        int count = Value(match, "count");
        Known<string> process = match.Groups["process"].Success
            ? Known.Read(match.Groups["process"].Value) : Known.Unknown<string>("process name", "not made");
        uint of = match.Groups["of"].Success ? (uint)Value(match, "of") : pid;
        TracePartner partner = new(Known.Read(new ThreadId(Id(match, "by"))), Known.Read(of), process, IsDeferred: false, count,
            until / count, until, until / count);
        return SyntheticTraceFacts.Thread(Id(match, "id"), pid, length,
            new TraceTimes(until / 2, TimeSpan.Zero, length - (until / 2), count)) with
        {
            WaitReasons = [new TraceWaitReason("UserRequest", count, length - (until / 2), IsReady: false)],
            LongestWait = new TraceWait(
                until, length - until, Known.Read("UserRequest"), IsOpen: true,
                    Known.Unknown<TraceReadiedBy>("who readied the thread", "nobody did before the trace's end"),
                    Known.Unknown<IReadOnlyList<string>>("stack", "not made")),
            Partners = [partner],
        };
    }

    private static TraceThread TakesTurns(Match match, uint pid, TimeSpan length)
    {
        TimeSpan runs = Seconds(match, "runs");
        int turns = Value(match, "turns");
        return SyntheticTraceFacts.Thread(Id(match, "id"), pid, length, new TraceTimes(runs, TimeSpan.Zero, length - runs, turns)) with
        {
            WaitReasons = [new TraceWaitReason("UserRequest", turns, length - runs, IsReady: false)],
            LongestWait = new TraceWait(
                TimeSpan.Zero, Seconds(match, "waits"), Known.Read("UserRequest"), IsOpen: false,
                    Known.Unknown<TraceReadiedBy>("who readied the thread", "not made"),
                    Known.Unknown<IReadOnlyList<string>>("stack", "not made")),
        };
    }

    private static TraceThread Around(Match match, uint pid, TimeSpan length)
        => SyntheticTraceFacts.Around(Id(match, "id"), pid, length, new TraceAround(Thresholds.AroundCapture * 2, Seconds(match, "runs"), Value(match, "turns"), Seconds(match, "waits")));

    private static TraceThread Waits(Match match, uint pid, TimeSpan length)
    {
        Known<string> process = match.Groups["process"].Success
            ? Known.Read(match.Groups["process"].Value) : Known.Unknown<string>("process name", "not made");
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
        int yields = match.Groups["yields"].Success ? Value(match, "yields") : 0;
        return SyntheticTraceFacts.Thread(Id(match, "id"), pid, length,
            new TraceTimes(runs, TimeSpan.Zero, length - runs, 100 + yields)) with
        {
            Samples = isSampled ? Value(match, "all") : 0,
            Functions = isSampled ? [new TraceFunction(match.Groups["place"].Value, Value(match, "there"), Value(match, "there"))] : [],
            WaitReasons = match.Groups["yields"].Success ? [new TraceWaitReason("WrYieldExecution", Value(match, "yields"), TimeSpan.Zero, IsReady: true)] : [],
        };
    }

    private static Known<int> RankOf(Match match, string name)
        => match.Groups[name].Success ? Known.Read(Value(match, name)) : Known.Unknown<int>("rank", "not recorded");

    private static int Value(Match match, string name) => int.Parse(match.Groups[name].Value, CultureInfo.InvariantCulture);

    [GeneratedRegex("""^trace alone (?<length>[\d.]+) s$""")]
    private static partial Regex AloneLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) readied (?<count>\d+) times by (?<by>0x\w+)(?: of (?<process>\S+) (?<of>\d+))? until (?<until>[\d.]+) s, then never$""")]
    private static partial Regex PartnerLine();

    [GeneratedRegex("""^trace (?<id>0x\w+) takes (?<turns>\d+) turns, runs for (?<runs>[\d.]+) s, waits for (?<waits>[\d.]+) s at most$""")]
    private static partial Regex TurnsLine();

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
