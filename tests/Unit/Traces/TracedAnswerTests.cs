using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>git starts a program and waits for 3.6 s in a filter of the file system, until the virus scanner answers.</summary>
public sealed class TracedAnswerTests
{
    private static readonly TimeSpan s_capture = TimeSpan.FromSeconds(2);

    [Fact]
    public void The_process_that_ended_the_wait_is_named_with_thread_stack_and_figures()
    {
        Verdict verdict = Judge(EtlFile.Read(AntivirusTrace.Build())).Verdict;

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Likely, "HT7003"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("until MsMpEng.exe (90) readies it, after 3.6 s", verdict.Title.Text, StringComparison.Ordinal);
        string evidence = string.Join('\n', verdict.Evidence.Select(item => item.Claim.Text));
        Assert.Contains("waited from 0.731 s to 4.331 s (Executive) and was readied by thread 0x384 of MsMpEng.exe (90) after 3.6 s", evidence, StringComparison.Ordinal);
        Assert.Contains("it was readied from fltmgr.sys+0x2222 < MsMpEng.exe+0x3333", evidence, StringComparison.Ordinal);
        Assert.Contains("it waited in ntoskrnl.exe+0x10 < fltmgr.sys+0x1111", evidence, StringComparison.Ordinal);
        Assert.Contains("MsMpEng.exe (90) ended 2 waits of the process's threads: 4.21 s of the trace's 4.83 s", evidence, StringComparison.Ordinal);
    }

    [Fact]
    public void The_healthy_twin_is_answered_in_72_microseconds()
        => Assert.Null(Find(EtlFile.Read(AntivirusTrace.Build(longest: 720, first: 720)), TimeSpan.FromMilliseconds(100.03)));

    [Theory]
    [InlineData(0.7, false)]
    [InlineData(0.75, true)]
    [InlineData(4.3, true)]
    [InlineData(4.4, false)]
    public void The_capture_lies_within_the_wait(double moment, bool isFound)
        => Assert.Equal(isFound, Find(EtlFile.Read(AntivirusTrace.Build()), TimeSpan.FromSeconds(moment)) is not null);

    /// <summary>A timer that interrupts somebody's thread, the kernel's own workers, and the process itself are no other process.</summary>
    [Theory]
    [InlineData(90, false, true)]
    [InlineData(90, true, false)]
    [InlineData(4, false, false)]
    [InlineData(0, false, false)]
    [InlineData((int)AntivirusTrace.Git, false, false)]
    public void Only_another_process_is_blamed(int pid, bool isDeferred, bool isFound)
        => Assert.Equal(isFound, Find(With(wait => wait with { By = Known.Read(wait.By.Value with { Pid = Known.Read((uint)pid), IsDeferred = isDeferred }) })) is not null);

    [Fact]
    public void A_wait_that_nobody_ended_names_nobody()
        => Assert.Null(Find(With(wait => wait with { IsOpen = true })));

    [Theory]
    [InlineData(999, false)]
    [InlineData(1000, true)]
    public void The_wait_lasts_for_a_second(int milliseconds, bool isFound)
        => Assert.Equal(isFound, Find(With(wait => wait with { From = s_capture, Length = TimeSpan.FromMilliseconds(milliseconds) })) is not null);

    /// <summary>A server's worker that waits for a client's request: the client ends its wait.</summary>
    [Fact]
    public void A_worker_beside_others_may_wait_for_requests()
    {
        Finding finding = Find(EtlFile.Read(AntivirusTrace.Build()), s_capture, builder => builder.Thread(701, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "git!wait_for_stop"))!;

        Assert.Equal((VerdictKind.NotHung, Confidence.Possible), (finding.Kind, finding.Confidence));
    }

    private static TraceFacts With(Func<TraceWait, TraceWait> change)
    {
        TraceFacts facts = EtlFile.Read(AntivirusTrace.Build());
        TraceThread thread = facts.Thread(AntivirusTrace.GitThread);
        return facts with { Threads = [.. facts.Threads.Where(other => other != thread), thread with { LongestWait = change(thread.LongestWait!) }] };
    }

    private static Finding? Find(TraceFacts facts, TimeSpan? capture = null, Func<SnapshotBuilder, SnapshotBuilder>? more = null)
        => Judge(facts, capture, more).Findings.FirstOrDefault(finding => finding.Rule.Id == "HT7003");

    private static TriageResult Judge(TraceFacts facts, TimeSpan? capture = null, Func<SnapshotBuilder, SnapshotBuilder>? more = null)
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows().Pid(AntivirusTrace.Git).Thread(AntivirusTrace.GitThread, "ntdll!NtCreateUserProcess", "KERNELBASE!CreateProcessInternalW", "git!start_command");
        return Triage.Judge(TracedCase.Of((more?.Invoke(builder) ?? builder).Build(), "git.exe", facts, capture ?? s_capture));
    }
}
