using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A finalizer that waits for an event, in a program of which other threads go on.</summary>
public sealed class BlockedFinalizerRuleTests
{
    private const uint Main = 0x11;
    private const uint Finalizer = 0x12;
    private const uint Heartbeat = 0x13;

    private static readonly LockId s_finalizers = new(LockKind.Finalizers, new Address(0xf000));

    [Fact]
    public void What_moves_elsewhere_cannot_end_a_wait_that_nothing_but_waiters_leads_to()
    {
        Verdict verdict = Judge(Blocked().Lost(Finalizer, new ReachHolder { Thread = new ThreadId(Main) }));

        Assert.Equal((VerdictKind.RuntimeStall, Confidence.Possible, "HT6001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains(verdict.Gaps, gap => gap.Why.Contains("nothing but those who wait leads to this one", StringComparison.Ordinal));
    }

    [Fact]
    public void A_thread_that_leads_to_the_event_may_set_it() => Assert.NotEqual("HT6001", Judge(Blocked().ReachedBy(Finalizer, Heartbeat)).Rule?.Id);

    [Fact]
    public void Who_leads_to_the_event_is_unknown_and_something_moves() => Assert.NotEqual("HT6001", Judge(Blocked()).Rule?.Id);

    private static SnapshotBuilder Blocked() => SnapshotBuilder.Linux()
        .Thread(Main, "System.GC.WaitForPendingFinalizers", "App.Program.Main")
        .Thread(Finalizer, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "App.Bus.Drain", "App.Scanner.Finalize")
        .Thread(Heartbeat, "System.Threading.WaitHandle.WaitOneNoCheck", "App.Telemetry.Beat")
        .Lock(s_finalizers, Finalizer)
        .Waits(Main, s_finalizers)
        .WaitsForSignal(Finalizer, 0xb0, "App.Bus._idle", Timeout.InfiniteTimeSpan)
        .WaitsForSignal(Heartbeat, 0xb8, "App.Telemetry._kick", TimeSpan.FromSeconds(1));

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
