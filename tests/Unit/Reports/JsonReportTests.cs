using System.Text.Json;
using System.Text.Json.Nodes;
using HangTriage.Facts;
using HangTriage.Reports.Json;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Reports;

public sealed class JsonReportTests
{
    [Fact]
    public void Every_report_fulfils_the_schema()
        => Assert.All(SampleResults.All().Concat(Judged()), result => Assert.Empty(ReportSchema.Errors(Write(result))));

    [Theory]
    [InlineData("/verdict/kind", "\"SpinningOwners\"")]
    [InlineData("/verdict/kind", "\"spinningOwner\"")]
    [InlineData("/verdict/title", null)]
    [InlineData("/verdict/new", "1")]
    [InlineData("/verdict/evidence/0/trust", "\"Read\"")]
    [InlineData("/verdict/evidence/0/address", "\"7ffd\"")]
    [InlineData("/verdict/culprit/thread", "26384")]
    [InlineData("/threads/0/osId", "4096")]
    [InlineData("/threads/0/frames/0/ip", null)]
    [InlineData("/threads/0/frames/0/extra", "true")]
    [InlineData("/threads/0/state", "\"Waiting\"")]
    [InlineData("/rules/0/outcome", "\"NotApplicable\"")]
    [InlineData("/rules/0/rule", "\"HT1\"")]
    [InlineData("/findings/0/severity", null)]
    [InlineData("/gaps", null)]
    [InlineData("/trace", "{}")]
    [InlineData("/schema", "2")]
    [InlineData("/timings/capture", "\"3 ms\"")]
    [InlineData("/unknown", "1")]
    public void A_report_that_breaks_the_contract_is_noticed(string path, string? value)
    {
        JsonNode report = JsonNode.Parse(Write(SampleResults.Spinner()))!;
        string[] parts = path.Split('/')[1..];
        JsonNode parent = parts[..^1].Aggregate(report, (node, part) => int.TryParse(part, out int index) ? node[index]! : node[part]!);
        if (value is null)
        {
            Assert.True(parent.AsObject().Remove(parts[^1]));
        }
        else
        {
            parent[parts[^1]] = JsonNode.Parse(value);
        }

        Assert.NotEmpty(ReportSchema.Errors(report.ToJsonString()));
    }

    [Fact]
    public void What_is_not_known_is_absent_and_a_gap_says_why()
    {
        JsonElement report = Read(SampleResults.Inconclusive());
        Assert.False(report.TryGetProperty("threads", out _));
        JsonElement target = report.GetProperty("target");
        Assert.Equal(["kind", "os", "arch"], target.EnumerateObject().Select(property => property.Name));
        string[] gaps = [.. report.GetProperty("gaps").EnumerateArray().Select(gap => gap.GetProperty("what").GetString()!)];
        Assert.All(["threads", "process id", "process name", "time of the capture", "start time of the process", "OS build", "processor count", ".NET runtimes", "loader lock"], what => Assert.Contains(what, gaps));
    }

    [Fact]
    public void A_threads_unknown_CPU_time_is_a_gap_of_that_thread_and_no_zero()
    {
        ProcessSnapshot facts = SnapshotBuilder.Linux().Thread(0x1000, new ThreadOptions { Cpu = null }, "a!f").Build();
        JsonElement thread = Read(SampleResults.NotHung() with
        {
            Case = Case.Of(facts),
            Threads = [new ThreadAssessment(facts.Threads.Value[0], HangTriage.Rules.Threads.ThreadActivity.Unknown, Trust.Read, null)],
        }).GetProperty("threads")[0];
        Assert.False(thread.TryGetProperty("cpu", out _));
        Assert.Equal("no thread times in the dump", thread.GetProperty("gaps")[0].GetProperty("why").GetString());
    }

    [Fact]
    public void Addresses_offsets_and_ids_are_hex_strings_and_times_are_milliseconds()
    {
        JsonElement thread = Read(SampleResults.Spinner()).GetProperty("threads")[2];
        Assert.Equal("0x6710", thread.GetProperty("osId").GetString());
        Assert.Equal(3_723_004, thread.GetProperty("cpu").GetProperty("user").GetDouble());
        JsonElement frame = thread.GetProperty("frames")[2];
        Assert.Equal("0x4711", frame.GetProperty("moduleOffset").GetString());
        Assert.False(frame.TryGetProperty("method", out _));
    }

    [Fact]
    public void Outcomes_are_named_as_the_contract_names_them()
    {
        TriageResult result = SampleResults.NotHung() with
        {
            Rules =
            [
                .. new[] { RuleOutcome.Of([SampleResults.AnObservation]), RuleOutcome.Clean(), RuleOutcome.NotApplicable("x"), RuleOutcome.Blind(new Gap("x", "y")), RuleOutcome.Failed(new InvalidOperationException("x")) }
                    .Select(outcome => new RuleReport(SampleResults.MonitorRule, outcome)),
            ],
        };
        Assert.Equal(
            ["found", "clean", "notApplicable", "blind", "failed"],
            Read(result).GetProperty("rules").EnumerateArray().Select(rule => rule.GetProperty("outcome").GetString()));
    }

    [Fact]
    public void Names_come_back_as_they_were_and_the_file_is_ASCII()
    {
        TriageResult hostile = SampleResults.Hostile(SampleResults.HostileText + "\u00e9\u2028\ud83d\ude00");
        Assert.Equal(hostile.Verdict.Title.Text, Read(hostile).GetProperty("verdict").GetProperty("title").GetString());
        Assert.All(Write(hostile), letter => Assert.True(letter is '\n' or (>= ' ' and <= '~')));
    }

    [Fact]
    public void Two_captures_are_listed_the_earlier_first_and_one_is_not()
    {
        TriageResult spinner = SampleResults.Spinner();
        DateTimeOffset before = SnapshotBuilder.CapturedAt.AddSeconds(-10);
        ProcessSnapshot earlier = SnapshotBuilder.Windows().Thread(0x1000, new ThreadOptions { Cpu = null }).Build();
        earlier = earlier with { Target = earlier.Target with { CapturedAt = Known.Read(before) } };

        TriageResult both = spinner with { Case = Case.Of([earlier, spinner.Snapshot]) };

        Assert.Empty(ReportSchema.Errors(Write(both)));
        JsonElement captures = Read(both).GetProperty("captures");
        Assert.Equal([before, SnapshotBuilder.CapturedAt], captures.EnumerateArray().Select(capture => capture.GetProperty("capturedAt").GetDateTimeOffset()));
        Assert.Equal([1, 5], captures.EnumerateArray().Select(capture => capture.GetProperty("threads").GetInt32()));
        Assert.False(captures[0].TryGetProperty("cpu", out _));
        Assert.Equal(3_723_004 + 812 + 15, captures[1].GetProperty("cpu").GetProperty("user").GetDouble());
        Assert.Empty(Read(spinner).GetProperty("captures").EnumerateArray());
    }

    [Fact]
    public void A_threads_loop_is_given_with_its_addresses_and_a_missing_one_with_its_gap()
    {
        ProcessSnapshot facts = SnapshotBuilder.Windows().Thread(0x1000, "a!f").Thread(0x1001, "a!f").Build();
        ThreadFacts[] threads =
        [
            facts.Threads.Value[0] with { Loop = Known.Derived(new LoopFacts(new Address(0x1000), new Address(0x101f), 9, true, 0)) },
            facts.Threads.Value[1] with { Loop = Known.Unknown<LoopFacts>("loop", "no code") },
        ];
        TriageResult result = SampleResults.NotHung() with
        {
            Case = Case.Of(facts with { Threads = Known.Read<IReadOnlyList<ThreadFacts>>(threads) }),
            Threads = [.. threads.Select(thread => new ThreadAssessment(thread, HangTriage.Rules.Threads.ThreadActivity.Running, Trust.Derived, null))],
        };

        Assert.Empty(ReportSchema.Errors(Write(result)));
        JsonElement report = Read(result).GetProperty("threads");
        Assert.Equal(
            """{"start":"0x1000","end":"0x101f","instructions":9,"pauses":true,"frame":0,"trust":"derived"}""",
            JsonSerializer.Serialize(report[0].GetProperty("loop")));
        Assert.False(report[1].TryGetProperty("loop", out _));
        Assert.Equal("no code", report[1].GetProperty("gaps").EnumerateArray().Single(gap => gap.GetProperty("what").GetString() == "loop").GetProperty("why").GetString());
    }

    [Fact]
    public void The_host_states_version_and_timings()
    {
        JsonElement report = Read(SampleResults.Spinner());
        Assert.Equal("1.2.3", report.GetProperty("tool").GetProperty("version").GetString());
        Assert.Equal(12.5, report.GetProperty("timings").GetProperty("capture").GetDouble());
    }

    /// <summary>What the rules themselves say.</summary>
    private static IEnumerable<TriageResult> Judged()
        =>
        [
            .. SampleResults.All().Select(result => Triage.Judge(result.Snapshot)),
            Triage.Judge(UnknownProcess.Of(TargetOs.Linux, "nothing was read")),
        ];

    private static JsonElement Read(TriageResult result) => JsonDocument.Parse(Write(result)).RootElement;

    private static string Write(TriageResult result)
    {
        using StringWriter writer = new();
        JsonReport.Write(result, writer, new JsonReportOptions("1.2.3", new Dictionary<string, TimeSpan> { ["capture"] = TimeSpan.FromMilliseconds(12.5) }));
        return writer.ToString();
    }
}
