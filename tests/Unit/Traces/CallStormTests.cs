using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>Threads that compute in the path of very many small calls.</summary>
public sealed class CallStormTests
{
    [Fact]
    public void Reads_of_68_bytes_are_told_with_calls_bytes_and_share_of_samples()
    {
        Verdict verdict = Reads(StormTraces.Reads).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Certain, "HT7004"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("runs in 229,604 reads of 68 bytes on average, in 600 ms of CPU time", verdict.Title.Text, StringComparison.Ordinal);
        string evidence = string.Join('\n', verdict.Evidence.Select(item => item.Claim.Text));
        Assert.Contains("made 229,604 reads of 68 bytes on average for 15,686,586 bytes", evidence, StringComparison.Ordinal);
        Assert.Contains("628 of its 899 samples are in KERNELBASE.dll+0x500", evidence, StringComparison.Ordinal);
        Assert.Contains(@"\Device\HarddiskVolume3\menu.db: 229,604 reads, 0 writes", evidence, StringComparison.Ordinal);
    }

    [Fact]
    public void Registry_calls_are_told_with_their_kind_and_cost()
    {
        Verdict verdict = Registry(StormTraces.Registry).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Certain, "HT7004"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("runs in 800,000 registry calls, mostly QueryValue, in 35 s of CPU time", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, item => item.Claim.Text.Contains("43.8 microseconds of CPU for each call", StringComparison.Ordinal));
    }

    /// <summary>The thread has used all CPU of its process, which HT4002 says, too; the storm says why.</summary>
    [Fact]
    public void The_storm_goes_before_the_runaway_thread()
    {
        TriageResult result = Reads(StormTraces.Reads, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(20)), Life = TimeSpan.FromSeconds(41) }, "broker!next_entry");

        Assert.Contains(result.Findings, finding => finding.Rule.Id == "HT4002");
        Assert.Equal("HT7004", result.Verdict.Rule?.Id);
    }

    [Fact]
    public void The_healthy_twins_read_the_same_bytes_in_few_calls_and_some_values()
    {
        Assert.Null(Found(Reads(EtlFile.Read(TinyReadsTrace.Build(calls: 240, samplesInReads: 2)))));
        Assert.Null(Found(Registry(EtlFile.Read(RegistryTrace.Build(calls: 2_000)))));
    }

    [Theory]
    [InlineData(99_999, 100, 1, false)]
    [InlineData(100_000, 100, 1, true)]
    [InlineData(100_000, 513, 1, false)]
    [InlineData(100_000, 512, 1, true)]
    [InlineData(100_000, 100, 10, true)]
    [InlineData(100_000, 100, 10.1, false)]
    public void A_storm_has_many_small_calls_that_follow_each_other(long calls, long bytes, double seconds, bool isFound)
        => Assert.Equal(isFound, Found(Reads(With(calls, bytes, TimeSpan.FromSeconds(seconds), share: 1))) is not null);

    [Theory]
    [InlineData(0.5, true)]
    [InlineData(0.49, false)]
    public void The_thread_runs_for_half_of_the_trace(double share, bool isFound)
        => Assert.Equal(isFound, Found(Reads(With(200_000, 100, TimeSpan.FromSeconds(2), share))) is not null);

    /// <summary>Of a thread that others wait for, the rules of locks tell.</summary>
    [Fact]
    public void A_thread_that_others_wait_for_is_no_busy_thread_alone()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Pid(TinyReadsTrace.Broker)
            .Thread(TinyReadsTrace.Thread, "ntdll!NtReadFile", "KERNELBASE!ReadFile", "broker!next_entry")
            .Thread(801, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlpEnterCriticalSectionContended", "broker!show")
            .Lock(SnapshotBuilder.Section(0xd100), TinyReadsTrace.Thread).Waits(801, SnapshotBuilder.Section(0xd100)).Build();

        Assert.Null(Found(Triage.Judge(TracedCase.Of(snapshot, "broker.exe", StormTraces.Reads, TimeSpan.FromSeconds(0.3)))));
    }

    private static Finding? Found(TriageResult result) => result.Findings.FirstOrDefault(finding => finding.Rule.Id == "HT7004");

    private static TraceFacts With(long calls, long bytes, TimeSpan running, double share)
    {
        TimeSpan window = running / share;
        TraceThread thread = SyntheticTraceFacts.Thread(TinyReadsTrace.Thread, TinyReadsTrace.Broker, window, new TraceTimes(running, TimeSpan.Zero, window - running, 1));
        return SyntheticTraceFacts.Of(window, TinyReadsTrace.Broker, thread with { Reads = new TraceIo(calls, calls * bytes) });
    }

    private static TriageResult Reads(TraceFacts facts, ThreadOptions? options = null, params string[] frames)
    {
        string[] stack = frames.Length > 0 ? frames : ["ntdll!NtReadFile", "KERNELBASE!ReadFile", "broker!next_entry"];
        return Triage.Judge(TracedCase.Of(SnapshotBuilder.Windows().Pid(TinyReadsTrace.Broker).Thread(TinyReadsTrace.Thread, options, stack).Build(), "broker.exe", facts, TimeSpan.FromSeconds(0.3)));
    }

    private static TriageResult Registry(TraceFacts facts)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Pid(RegistryTrace.Process).Thread(RegistryTrace.Thread, "ntdll!NtQueryValueKey", "KERNELBASE!RegQueryValueExW", "menu!load").Build();
        return Triage.Judge(TracedCase.Of(snapshot, "menu.exe", facts, TimeSpan.FromSeconds(20)));
    }
}
