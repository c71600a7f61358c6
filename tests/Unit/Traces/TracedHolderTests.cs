using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>63 threads wait for 4 s for a lock without a recorded owner; the trace shows who let them go.</summary>
public sealed class TracedHolderTests
{
    private static readonly TimeSpan s_capture = TimeSpan.FromSeconds(2);

    [Fact]
    public void The_thread_that_let_all_go_is_the_owner_with_the_figures_of_the_trace()
    {
        Verdict verdict = Judge(ConvoyTrace.Build()).Verdict;

        Assert.Equal((VerdictKind.BusyOwner, Confidence.Likely, "HT7002"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal((ConvoyTrace.Holder, ConvoyTrace.Waiters), (verdict.Culprit!.Thread!.Value.Value, verdict.Victims.Count));
        Assert.Contains("runs in service.exe+0x4000 to +0x4002 while 63 threads wait for locks, for up to 4 s", verdict.Title.Text, StringComparison.Ordinal);
        string evidence = string.Join('\n', verdict.Evidence.Select(item => item.Claim.Text));
        Assert.Contains("ran for at least 4 s of these 4 s", evidence, StringComparison.Ordinal);
        Assert.Contains("3999 of its 3999 samples are in service.exe+0x4000 to +0x4002", evidence, StringComparison.Ordinal);
    }

    [Fact]
    public void The_healthy_twin_holds_the_lock_for_a_fifth_of_a_second()
        => Assert.DoesNotContain(Judge(ConvoyTrace.Build(length: 2_000_000), TimeSpan.FromSeconds(0.1)).Findings, finding => finding.Rule.Id == "HT7002");

    /// <summary>Waits that are over say nothing of what the capture shows.</summary>
    [Fact]
    public void A_capture_behind_the_waits_is_not_explained_by_them()
        => Assert.DoesNotContain(Judge(ConvoyTrace.Build(), TimeSpan.FromSeconds(4.15)).Findings, finding => finding.Rule.Id == "HT7002");

    [Theory]
    [InlineData(0.95, true)]
    [InlineData(0.8, false)]
    public void The_holder_must_have_run_nearly_all_the_while(double share, bool isFound)
    {
        TraceFacts facts = EtlFile.Read(ConvoyTrace.Build());
        TraceThread holder = facts.Thread(ConvoyTrace.Holder);
        TimeSpan runs = TimeSpan.FromSeconds(4) * share + (holder.To - holder.From - TimeSpan.FromSeconds(4));
        TraceThread changed = holder with { Times = Known.Derived(holder.Times.Value with { Running = runs }), Timeline = [] };

        Assert.Equal(isFound, IsFound(facts with { Threads = [.. facts.Threads.Where(thread => thread != holder), changed] }));
    }

    [Theory]
    [InlineData(2, false)]
    [InlineData(3, true)]
    public void A_crowd_has_three(int waiters, bool isFound)
    {
        TraceFacts facts = EtlFile.Read(ConvoyTrace.Build());

        Assert.Equal(isFound, IsFound(facts with { Threads = [.. facts.Threads.Where(thread => thread.OsId.Value < ConvoyTrace.FirstWaiter + waiters)] }));
    }

    [Theory]
    [InlineData(0.95, true)]
    [InlineData(0.5, false)]
    public void Samples_in_many_places_make_it_possible_alone(double share, bool isLikely)
    {
        TraceFacts facts = EtlFile.Read(ConvoyTrace.Build());
        TraceThread holder = facts.Thread(ConvoyTrace.Holder);
        TraceThread changed = holder with { Samples = 1000, Functions = [new TraceFunction("service.exe+0x4000", (long)(1000 * share), 1000), new TraceFunction("service.exe+0x5000", 40, 40)] };

        Finding finding = Find(facts with { Threads = [.. facts.Threads.Where(thread => thread != holder), changed] })!;
        Assert.Equal(isLikely ? Confidence.Likely : Confidence.Possible, finding.Confidence);
    }

    private static bool IsFound(TraceFacts facts) => Find(facts) is not null;

    private static Finding? Find(TraceFacts facts)
        => Triage.Judge(Case.Of(Snapshot(new SyntheticTrace().Start, s_capture)).With("slow.etl", facts)).Findings.FirstOrDefault(finding => finding.Rule.Id == "HT7002");

    private static TriageResult Judge(SyntheticTrace trace, TimeSpan? capture = null)
        => Triage.Judge(Case.Of(Snapshot(trace.Start, capture ?? s_capture)).With("slow.etl", EtlFile.Read(trace)));

    private static ProcessSnapshot Snapshot(DateTimeOffset start, TimeSpan capture)
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows().Thread(ConvoyTrace.Holder, "service!scan", "service!work");
        for (uint i = 0; i < ConvoyTrace.Waiters; i++)
        {
            builder.Thread(ConvoyTrace.FirstWaiter + i, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlAcquireSRWLockExclusive", "service!write");
        }

        ProcessSnapshot snapshot = builder.Build();
        return snapshot with
        {
            Target = snapshot.Target with
            {
                Pid = Known.Read(ConvoyTrace.Process),
                ProcessName = Known.Read("service.exe"),
                CapturedAt = Known.Read(start + capture),
                StartedAt = Known.Unknown<DateTimeOffset>("start", "not made"),
            },
        };
    }
}
