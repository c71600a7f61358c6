using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>Waits that no runtime records, against what the program that is in them printed.</summary>
public sealed class PrimitiveWaitsTests
{
    // The moment of the capture is known within some seconds.
    private static readonly TimeSpan s_apart = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net8, true)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Each_wait_is_for_the_right_object_and_leads_to_the_right_threads(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework, isOptimised);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;
        IReadOnlyList<ThreadTruth> truth = ThreadTruth.Of(process);
        Dictionary<ThreadId, string> names = truth.ToDictionary(thread => thread.OsId, thread => thread.Name);

        foreach (ThreadTruth thread in truth)
        {
            WaitFacts[] waits = [.. managed.Waits.Value.Where(wait => wait.Thread == thread.OsId)];
            if (thread.Kind is null)
            {
                Assert.Empty(waits);
                continue;
            }

            string[] kinds = [.. waits.Select(wait => $"{wait.Lock.Kind}").Order(StringComparer.Ordinal)];
            Assert.Equal($"{thread.Name}: {thread.Kind}", $"{thread.Name}: {string.Join('+', kinds)}");
            IEnumerable<ThreadId> holders = waits.SelectMany(wait => HoldersOf(wait, managed.Locks.Value.SingleOrDefault(found => found.Id == wait.Lock)));
            Assert.Equal(
                $"{thread.Name}: {string.Join(", ", thread.On.Order(StringComparer.Ordinal))}",
                $"{thread.Name}: {string.Join(", ", holders.Select(holder => names.GetValueOrDefault(holder, "?")).Order(StringComparer.Ordinal))}");
        }
    }

    /// <summary>They are found by the instructions of their callers.</summary>
    [Theory]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task Methods_that_were_inlined_are_on_the_stack(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework, isOptimised);
        IReadOnlyList<ThreadFacts> threads = Cores.Read(process).Threads.Value;

        foreach ((string name, string method) in new[]
        {
            ("event-waiter", "System.Threading.WaitHandle.WaitOne"), ("mutex-waiter", "System.Threading.WaitHandle.WaitOne"),
            ("timed-joiner", "System.Threading.Thread.Join"),
        })
        {
            ThreadId id = ThreadTruth.Of(process).Single(thread => thread.Name == name).OsId;
            IReadOnlyList<FrameFacts> frames = threads.Single(thread => thread.OsId == id).Stack.Frames;
            FrameFacts called =
                frames.TakeWhile(frame => frame.Method?.StartsWith("PrimitiveWaits.", StringComparison.Ordinal) != true).Last();
            Assert.Equal((name, method), (name, called.Method));
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task A_wait_for_several_handles_says_whether_it_needs_all(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        foreach ((string name, WaitMode mode) in new[] { ("any-waiter", WaitMode.Any), ("all-waiter", WaitMode.All) })
        {
            ThreadId id = ThreadTruth.Of(process).Single(thread => thread.Name == name).OsId;
            // Where the call was inlined it cannot be told.
            Assert.All(managed.Waits.Value.Where(wait => wait.Thread == id), wait => Assert.True(wait.Mode == mode || wait.Mode == WaitMode.AllOrAny, name));
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net10)]
    public async Task A_semaphore_has_its_counts_and_counts_those_who_wait_by_await(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        Assert.Equal((new SemaphoreEntries(0, 2), 1u), Counts(managed, LockOf(process, managed, "permit-waiter")));
        Assert.Equal((new SemaphoreEntries(0, 1), 2u), Counts(managed, LockOf(process, managed, "async-behind")));
        Assert.False(managed.Locks.Value.Single(found => found.Id == LockOf(process, managed, "queue-taker")).Entries!.Value.IsBounded());
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Waits_without_end_are_told_from_those_that_may_end(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        foreach (string name in new[] { "writer", "reader-behind-writer", "joiner", "permit-waiter", "slim-event-waiter" })
        {
            Assert.True(WaitOf(process, managed, name).Timeout.Is(timeout => timeout == Timeout.InfiniteTimeSpan), name);
        }

        // The runtime records no limit of these, and the kernel was told when they end.
        foreach (string name in new[] { "upgrader-behind-writer", "timed-joiner" })
        {
            Assert.InRange(WaitOf(process, managed, name).Timeout.Value, TimeSpan.FromMinutes(30), TimeSpan.FromHours(2) + s_apart);
        }
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_reader_that_ended_inside_is_missed(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("PrimitiveWaits", framework);
        ManagedFacts managed = Cores.Read(process).Managed!.Value;

        Assert.True(managed.Locks.Value.Single(found => found.Id == LockOf(process, managed, "writer-behind-the-lost")).OwnerHasEnded);
        Assert.False(managed.Locks.Value.Single(found => found.Id == LockOf(process, managed, "writer")).OwnerHasEnded);
    }

    private static IEnumerable<ThreadId> HoldersOf(WaitFacts wait, LockFacts? found)
        =>
        [
            .. wait.TargetThread is { } target ? [target] : Array.Empty<ThreadId>(),
            .. found?.Owner.TryGet(out ThreadId owner) == true ? [owner] : Array.Empty<ThreadId>(),
            .. found?.Readers is { } readers ? readers.Value : [],
        ];

    private static (SemaphoreEntries Entries, uint Waiters) Counts(ManagedFacts managed, LockId id)
    {
        LockFacts found = managed.Locks.Value.Single(found => found.Id == id);
        return (found.Entries!.Value, found.WaiterCount.Value);
    }

    private static LockId LockOf(DumpedProcess process, ManagedFacts managed, string name) => WaitOf(process, managed, name).Lock;

    private static WaitFacts WaitOf(DumpedProcess process, ManagedFacts managed, string name)
    {
        ThreadId id = ThreadTruth.Of(process).Single(thread => thread.Name == name).OsId;
        return managed.Waits.Value.Single(wait => wait.Thread == id);
    }
}
