using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed;

/// <summary>
/// Who has the entry of a SemaphoreSlim is concluded from the place at which the holder stands; the program says what is right.
/// </summary>
public sealed class SemaphoreHoldersTests
{
    private const string Prefix = "SemaphoreHolders.Scenes+";

    [Theory]
    [InlineData(TargetFramework.Net8, false)]
    [InlineData(TargetFramework.Net9, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task A_thread_between_the_wait_and_the_release_owns_the_semaphore(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("SemaphoreHolders", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        Dictionary<ThreadId, string> names = snapshot.Threads.Value.Where(thread => thread.Name.HasValue)
            .ToDictionary(thread => thread.OsId, thread => thread.Name.Value);
        ManagedFacts managed = snapshot.Managed!.Value;

        Assert.Equal(
            process.Records("waits").Select(record => $"{record["waits"]} {record["holder"]}").Order(StringComparer.Ordinal),
            managed.Waits.Value.Where(wait => wait.Lock.Kind == LockKind.SemaphoreSlim)
                .Select(wait => (Wait: wait, managed.Locks.Value.Single(found => found.Id == wait.Lock).Owner))
                .Select(pair => $"{names[pair.Wait.Thread]} {(pair.Owner.HasValue ? names[pair.Owner.Value] : "-")}")
                .Order(StringComparer.Ordinal));
        Assert.All(
            managed.Waits.Value.Where(wait => wait.Lock.Kind == LockKind.SemaphoreSlim),
            wait => Assert.Equal(
                managed.Locks.Value.Single(found => found.Id == wait.Lock).Owner.HasValue ? WaitKind.Acquire : WaitKind.Signal, wait.Kind));
    }

    [Theory]
    [InlineData(TargetFramework.Net8, false, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10, false)]
    [InlineData(TargetFramework.Net10, true)]
    public async Task An_async_method_waits_for_what_a_thread_or_another_method_has(TargetFramework framework, bool isOptimised)
    {
        DumpedProcess process = await Cores.TargetAsync("SemaphoreHolders", framework, isOptimised);
        ProcessSnapshot snapshot = Cores.Read(process);
        FlowGroup[] groups = [.. snapshot.Managed!.Value.Flows!.Value.Groups.Where(group => group.Waits.Kind == FlowWaitKind.Semaphore)];

        FlowGroup ofThread = Assert.Single(groups, group => group.Method == $"{Prefix}Office.WaitAsync");
        Assert.Equal(snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == "office-in")).OsId, ofThread.Waits.HeldBy);
        Assert.Null(ofThread.Waits.Holder);

        FlowGroup ofFlow = Assert.Single(groups, group => group.Method == $"{Prefix}Desk.WriteAsync");
        Assert.Null(ofFlow.Waits.HeldBy);
        Assert.Equal(($"{Prefix}Desk.ReadAsync", "lamp"), (ofFlow.Waits.Holder!.Method, ofFlow.Waits.Holder.Variable.TrimStart('_')));
        Assert.Equal(ofFlow.Waits.Holder.Flow, ofFlow.Waits.Holder.End);
    }
}
