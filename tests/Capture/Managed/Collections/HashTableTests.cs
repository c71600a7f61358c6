using HangTriage.Facts;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Capture.Managed.Collections;

/// <summary>Tables of the real runtimes, healthy in many states and damaged in each way.</summary>
public sealed class HashTableTests
{
    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task Every_damaged_table_is_found_and_no_healthy_one(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("HashTables", framework);
        CollectionsFacts facts = Cores.ReadDeep(process).Managed!.Value.Collections!.Value;

        Assert.True(facts.WholeHeap);
        Assert.Empty(facts.Gaps);
        Assert.True(facts.Checked > int.Parse(process.Ready["healthy"], null) / 2);
        Assert.Equal(
            process.Records("fault").Select(record => (Key: record["type"], Fault: record["fault"])).OrderBy(damaged => damaged.Key, StringComparer.Ordinal),
            facts.Noteworthy
                .Select(table => (Key: LastArgument(table.Type), Fault: $"{table.Faults[0].Kind}"))
                .OrderBy(damaged => damaged.Key, StringComparer.Ordinal));
        Assert.All(facts.Noteworthy, table => Assert.Equal(Trust.Read, table.Trust));
    }

    [Fact]
    public async Task The_broken_link_is_named()
    {
        DumpedProcess process = await Cores.TargetAsync("HashTables", TargetFramework.Net10);
        CollectionFacts table = Cores.ReadDeep(process).Managed!.Value.Collections!.Value.Noteworthy
            .Single(table => LastArgument(table.Type) == "HashTables.DamagedTables+SelfLoop");

        CollectionFault fault = Assert.Single(table.Faults);
        Assert.Equal((CollectionFaultKind.ChainCycle, 7, 7, 7), (fault.Kind, fault.Bucket, fault.Entry, fault.Next));
        Assert.Equal((20, 37), (table.Entries, table.Buckets));
        Assert.DoesNotContain(table.Uses, use => use.IsInside);
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task The_static_field_that_leads_to_a_damaged_table_is_named(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("HashTables", framework);
        IReadOnlyList<CollectionFacts> damaged = Cores.ReadDeep(process).Managed!.Value.Collections!.Value.Noteworthy;

        Assert.Equal("HashTables.Program.s_orders", HolderOf("SelfLoop"));
        Assert.Equal("HashTables.Cache.Items", HolderOf("LoopOfTwo"));
        Assert.NotNull(damaged.Single(table => LastArgument(table.Type).EndsWith("LostEntry", StringComparison.Ordinal)).Holder.Gap);

        string HolderOf(string type) => damaged.Single(table => LastArgument(table.Type) == $"HashTables.DamagedTables+{type}").Holder.Value;
    }

    [Theory]
    [InlineData(TargetFramework.Net8)]
    [InlineData(TargetFramework.Net9, Traits = new[] { "Tier", "all" })]
    [InlineData(TargetFramework.Net10)]
    public async Task A_thread_is_inside_a_table_that_only_a_field_of_its_callers_object_leads_to(TargetFramework framework)
    {
        DumpedProcess process = await Cores.TargetAsync("HashTables", framework);
        ProcessSnapshot snapshot = Cores.ReadDeep(process);

        CollectionFacts table = snapshot.Managed!.Value.Collections!.Value.Noteworthy.Single(table => LastArgument(table.Type) == typeof(int).FullName);
        ThreadId asker = snapshot.Threads.Value.Single(thread => thread.Name.Is(name => name == "asker")).OsId;
        Assert.Contains(table.Uses, use => use.IsInside && use.Thread == asker);
    }

    [Fact]
    public async Task Without_being_asked_the_heap_is_left_alone()
    {
        DumpedProcess process = await Cores.TargetAsync("HashTables", TargetFramework.Net10);
        CollectionsFacts facts = Cores.Read(process).Managed!.Value.Collections!.Value;

        Assert.False(facts.WholeHeap);
        Assert.Empty(facts.Noteworthy);
    }

    // "System.Collections.Generic.Dictionary<System.Int32, App.Value>"
    private static string LastArgument(string type) => type[(type.LastIndexOfAny([',', '<']) + 1)..].TrimEnd('>').Trim();
}
