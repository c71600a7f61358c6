using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>The locks of real hung processes: who holds and who waits, by the names that the samples give their threads.</summary>
public sealed class NativeLockTests
{
    private const string FullMemory = "0x1806";

    private static ProcessSnapshot Capture(string sample) => TargetFile.Capture(WindowsLab.Dump(sample, FullMemory), CaptureContext.Default);

    private static string NameOf(ProcessSnapshot snapshot, ThreadId id)
        => snapshot.Threads.Value.SingleOrDefault(thread => thread.OsId == id)?.Name.Value ?? "gone";

    /// <summary>Each wait as "waiter -> owner", by name.</summary>
    private static IReadOnlyList<string> Edges(ProcessSnapshot snapshot)
        => [.. snapshot.Windows!.Waits.Value
            .Select(wait => $"{NameOf(snapshot, wait.Thread)} -> {(Find(snapshot, wait.Lock).Owner.TryGet(out ThreadId owner) ? NameOf(snapshot, owner) : "changing hands")}")
            .Order(StringComparer.Ordinal)];

    private static LockFacts Find(ProcessSnapshot snapshot, LockId id)
        => snapshot.Windows!.LoaderLock.Value.Id == id ? snapshot.Windows.LoaderLock.Value : snapshot.Windows.Locks.Value.Single(section => section.Id == id);

    [Fact]
    public void Two_sections_taken_crosswise_and_one_thread_behind_them()
    {
        ProcessSnapshot snapshot = Capture("CriticalSectionCycle");
        Assert.Equal(["audit -> transfer", "report -> transfer", "transfer -> audit"], Edges(snapshot));
        Assert.Equal(2, snapshot.Windows!.Locks.Value.Count);
    }

    [Fact]
    public void A_cycle_of_three_its_tail_and_its_branches()
        => Assert.Equal(
            [
                "cycle 1 -> cycle 2", "cycle 2 -> cycle 3", "cycle 3 -> cycle 1",
                "left -> cycle 2", "right -> cycle 3", "tail 1 -> cycle 1", "tail 2 -> tail 1",
            ],
            Edges(Capture("CriticalSectionThreeCycle")));

    [Fact]
    public void An_owner_that_is_gone()
        => Assert.Equal(["reader 1 -> gone", "reader 2 -> gone", "reader 3 -> gone"], Edges(Capture("OrphanedSection")));

    [Fact]
    public void Six_threads_that_wait_for_one_that_computes()
    {
        ProcessSnapshot snapshot = Capture("BusySectionOwner");
        Assert.Equal(Enumerable.Repeat("query -> indexer", 6), Edges(snapshot));
        Assert.Equal(6u, Assert.Single(snapshot.Windows!.Locks.Value).WaiterCount.Value);
    }

    [Fact]
    public void Of_a_cycle_across_a_mutex_the_section_is_seen_and_the_mutex_is_a_gap()
    {
        ProcessSnapshot snapshot = Capture("MutexAndSectionCycle");
        Assert.Equal(["save -> load"], Edges(snapshot));
        Assert.False(snapshot.Windows!.Handles.HasValue);
    }

    [Fact]
    public void A_new_thread_that_waits_for_the_loader_lock()
        => Assert.Equal(["helper -> loading"], Edges(Capture("DllMainWaitsForThread")));

    [Theory]
    [InlineData("CriticalSectionCycle")]
    [InlineData("CriticalSectionThreeCycle")]
    [InlineData("OrphanedSection")]
    [InlineData("BusySectionOwner")]
    [InlineData("MutexAndSectionCycle")]
    [InlineData("DllMainWaitsForThread")]
    public void What_is_found_is_proven_by_unwinding_and_agrees_with_the_lock(string sample)
    {
        ProcessSnapshot snapshot = Capture(sample);
        Assert.All(snapshot.Windows!.Waits.Value, wait =>
        {
            Assert.Equal((Trust.Derived, WaitKind.Acquire), (wait.Trust, wait.Kind));
            Assert.EndsWith("LockCount counts as many", wait.Source, StringComparison.Ordinal);
        });
        Assert.DoesNotContain(snapshot.Gaps, gap => gap.What.StartsWith("critical section that", StringComparison.Ordinal));
    }

    // A worker can be met in the short wait for another's turn, and the section between two of them; nobody else waits.
    [Fact]
    public void In_a_healthy_process_nobody_but_a_worker_can_wait()
        => Assert.All(Edges(Capture("HealthyNative")), edge => Assert.Matches("^worker -> (worker|changing hands)$", edge));

    // In Wine the loader lock's record leads to itself, which does not say that there are no other sections.
    [Fact]
    public void A_list_with_the_loader_lock_alone_is_a_gap()
        => Assert.Contains(Capture("HealthyNative").Gaps, gap => gap.What == "critical sections");
}
