using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Scenarios;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The stuck LoadLibrary with the values of the real case, from the bytes of a dump to the verdict.</summary>
public sealed class RealCaseTests
{
    [Fact]
    public void The_owner_that_spins_is_named_with_its_victim_and_its_CPU()
    {
        RealCaseA real = RealCaseA.Create();

        (ProcessSnapshot snapshot, Verdict verdict) = Judge(real);

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(14393u, snapshot.Target.OsBuild.Value);
        Assert.Equal(real.Truth.LoaderLock, snapshot.Windows!.LoaderLock.Value.Id.Address.Value);
        Assert.Equal(0u, snapshot.Windows.LoaderLock.Value.WaiterCount.Value);
        Assert.Equal(new ThreadId(0x6710), verdict.Culprit?.Thread);
        Assert.StartsWith("thread 114 (0x6710)", verdict.Culprit?.Label.Text, StringComparison.Ordinal);
        Assert.Contains("SwitchToThread in mkl_core", verdict.Culprit?.Role!.Text, StringComparison.Ordinal);
        Assert.Contains("thread detach", verdict.Culprit?.Role!.Text, StringComparison.Ordinal);
        Assert.StartsWith("thread 107", Assert.Single(verdict.Victims).Label.Text, StringComparison.Ordinal);
        Assert.Contains("waits for the load owner", verdict.Chain[0].Edge, StringComparison.Ordinal);
        Assert.Equal(TimeSpan.FromSeconds(8_068.671), snapshot.Threads.Value[114].Cpu.Value.User);
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("8,068.671 s user", StringComparison.Ordinal));
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("it is a deadlock if the loop", StringComparison.Ordinal));
    }

    [Fact]
    public void Frames_that_no_export_names_stay_unnamed()
    {
        RealCaseA real = RealCaseA.Create();

        (ProcessSnapshot snapshot, _) = Judge(real);

        IReadOnlyList<FrameFacts> victim = snapshot.Threads.Value[107].Stack.Frames;
        Assert.Equal(real.Truth.Frames[real.Truth.Victim!.Value].Select(frame => frame.Ip), victim.Select(frame => frame.Ip.Value));
        Assert.Equal("NtWaitForSingleObject", victim[0].Method);
        int load = victim.ToList().FindIndex(frame => frame.Method == "LdrLoadDll");
        Assert.True(load > 1);
        Assert.All(victim.Take(load).Skip(1), frame => Assert.Null(frame.Method));
    }

    [Fact]
    public void A_held_section_without_a_victim_is_no_hang()
        => Assert.False(Judge(RealCaseA.Create(new RealCaseAOptions { Victim = RealCaseAVictim.None })).Verdict.Kind.IsHang());

    [Fact]
    public void A_free_section_is_no_hang()
        => Assert.False(Judge(RealCaseA.Create(new RealCaseAOptions { IsHeld = false })).Verdict.Kind.IsHang());

    [Fact]
    public void A_victim_on_the_section_is_counted_and_waits_for_the_lock()
    {
        (ProcessSnapshot snapshot, Verdict verdict) = Judge(RealCaseA.Create(new RealCaseAOptions { Victim = RealCaseAVictim.WaitsForSection }));

        Assert.Equal(VerdictKind.SpinningOwner, verdict.Kind);
        Assert.Equal("waits for", verdict.Chain[0].Edge);
        Assert.Equal(1u, snapshot.Windows!.LoaderLock.Value.WaiterCount.Value);
    }

    [Theory]
    [InlineData(RealCaseAOwner.Spins, VerdictKind.SpinningOwner)]
    [InlineData(RealCaseAOwner.WaitsForEvent, VerdictKind.Deadlock)]
    public void An_owner_of_lock_and_load_is_reached_through_the_load(RealCaseAOwner owner, VerdictKind kind)
    {
        Verdict verdict = Judge(RealCaseA.Create(new RealCaseAOptions { OwnerHasLoadOwnerFlag = true, Owner = owner })).Verdict;

        Assert.Equal(kind, verdict.Kind);
        Assert.Equal(new ThreadId(RealCaseA.OwnerId), verdict.Culprit?.Thread);
        Assert.Contains(verdict.Chain, link => link.To.Lock?.Kind == LockKind.LoadInProgress);
    }

    [Fact]
    public void Another_load_owner_leads_on_to_the_spinner_that_holds_the_lock()
    {
        Verdict verdict = Judge(RealCaseA.Create(new RealCaseAOptions { HasOtherLoadOwner = true })).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(
            [RealCaseA.VictimId, RealCaseA.LoadOwnerId],
            verdict.Chain.Select(link => link.From.Thread?.Value).OfType<uint>());
        Assert.Equal(
            [LockKind.LoadInProgress, LockKind.LoaderLock], verdict.Chain.Select(link => link.To.Lock?.Kind).OfType<LockKind>());
        Assert.Equal(2, verdict.Victims.Count);
    }

    [Fact]
    public void A_load_whose_owner_has_ended_is_not_called_healthy_and_says_what_is_missing()
    {
        Verdict verdict = Judge(RealCaseA.Create(new RealCaseAOptions { IsHeld = false, Owner = RealCaseAOwner.Gone })).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(LockKind.LoadInProgress, verdict.Culprit?.Lock?.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.Why == "no thread is marked as its owner");
    }

    [Fact]
    public void Without_thread_times_the_verdict_is_only_possible()
    {
        Verdict verdict = Judge(RealCaseA.Create(new RealCaseAOptions { HasCpuTimes = false })).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Possible), (verdict.Kind, verdict.Confidence));
    }

    [Theory]
    [InlineData(RealCaseAOwner.Gone)]
    [InlineData(RealCaseAOwner.WaitsForEvent)]
    public void Another_owner_is_never_called_a_spinner_nor_the_process_healthy(RealCaseAOwner owner)
    {
        Verdict verdict = Judge(RealCaseA.Create(new RealCaseAOptions { Owner = owner })).Verdict;

        Assert.NotEqual(VerdictKind.SpinningOwner, verdict.Kind);
        Assert.NotEqual(VerdictKind.NotHung, verdict.Kind);
    }

    [Fact]
    public void Without_stacks_the_verdict_says_that_it_does_not_know()
        => Assert.Equal(VerdictKind.Inconclusive, Judge(RealCaseA.Create(new RealCaseAOptions { HasStacks = false, HasImages = false })).Verdict.Kind);

    private static (ProcessSnapshot Snapshot, Verdict Verdict) Judge(RealCaseA real)
    {
        using TemporaryFolder folder = new();
        File.WriteAllBytes(folder["case.dmp"], real.Bytes);
        ProcessSnapshot snapshot = TargetFile.Capture(folder["case.dmp"], CaptureContext.Default);
        return (snapshot, Triage.Judge(snapshot).Verdict);
    }
}
