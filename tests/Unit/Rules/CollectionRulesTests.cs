using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>HT5001 and HT5002, beyond what their pages show.</summary>
public sealed class CollectionRulesTests
{
    private const ulong Table = 0xa000;

    [Fact]
    public void The_broken_link_the_threads_and_their_CPU_are_named()
    {
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle);
        builder.Tables.Use(Table, 1, isInside: true, method: "Dictionary.FindValue");
        builder.Tables.Use(Table, 2, isInside: true);
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal((VerdictKind.Corruption, Confidence.Certain), (verdict.Kind, verdict.Confidence));
        Assert.Equal("2 threads are stuck in the Dictionary<App.Key, App.Item> (0xa000), which is corrupted: in bucket 7 entry 7 leads back to entry 7", verdict.Title);
        Assert.Equal(new ThreadId(2), verdict.Culprit?.Thread);
        Assert.Contains(verdict.Evidence, item => item.Claim.Text == "thread 0 (0x1) is inside, in Dictionary.FindValue; it has burned 10 s of CPU");
    }

    [Fact]
    public void Who_waits_behind_a_thread_that_runs_in_circles_is_a_victim()
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle).Thread(3, "System.Threading.Monitor.Enter_Slowpath").Lock(monitor, 1).Waits(3, monitor);
        builder.Tables.Use(Table, 1, isInside: true);
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal("HT5001", verdict.Rule?.Id);
        Assert.Equal([new ThreadId(3)], verdict.Victims.Select(victim => victim.Thread!.Value));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Who_makes_the_same_exception_behind_another_runs_in_circles_too(bool isHeld)
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle).Lock(monitor, isHeld ? 1u : null).Waits(2, monitor);
        builder.Tables.Use(Table, 1, isInside: true);
        builder.Tables.Use(Table, 2, isInside: true, isBlocked: true);
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.StartsWith("2 threads are stuck", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Equal(new ThreadId(1), verdict.Culprit?.Thread);
        Assert.Empty(verdict.Victims);
    }

    [Fact]
    public void Who_waits_inside_for_somebody_else_does_not_run_in_circles()
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle).Thread(3, "App.Compare").Lock(monitor, 3).Waits(2, monitor);
        builder.Tables.Use(Table, 1, isInside: true);
        builder.Tables.Use(Table, 2, isInside: true, isBlocked: true);

        Assert.StartsWith("1 thread is stuck", Triage.Judge(builder.Build()).Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_hang_has_one_name_wherever_in_the_table_a_thread_is_caught()
    {
        string[] signatures =
        [
            .. new[] { "Dictionary.FindValue < App.Cache.Find", "System.SR.GetResourceString < Dictionary.FindValue < App.Cache.Find" }.Select(stack =>
            {
                SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, stack.Split(" < "));
                builder.Tables.Add(Table, "System.Collections.Generic.Dictionary<App.Key, App.Item>", CollectionFaultKind.ChainCycle);
                builder.Tables.Use(Table, 1, isInside: true, method: "Dictionary.FindValue");
                return Triage.Judge(builder.Build()).Verdict.Signature.Text;
            }),
        ];

        Assert.Equal(["HT5001/Dictionary.FindValue<App.Cache.Find"], signatures.Distinct());
    }

    [Theory]
    [InlineData(CollectionFaultKind.WrongBucket, false)]
    [InlineData(CollectionFaultKind.UnreachableEntry, false)]
    [InlineData(CollectionFaultKind.FreeListLength, false)]
    [InlineData(CollectionFaultKind.CountsDisagree, false)]
    [InlineData(CollectionFaultKind.LinkOutOfRange, true)]
    [InlineData(CollectionFaultKind.FreeListCycle, true)]
    [InlineData(CollectionFaultKind.FreeListOutOfRange, true)]
    public void What_its_one_writer_leaves_for_a_moment_is_no_damage(CollectionFaultKind fault, bool isDamage)
    {
        SnapshotBuilder builder = Process(fault);
        builder.Tables.Use(Table, 1, isInside: true, writes: true);
        TriageResult result = Triage.Judge(builder.Build());

        Assert.Equal(isDamage ? Severity.Warning : null, result.Findings.SingleOrDefault(finding => finding.Rule.Id == "HT5001")?.Severity);
        Assert.False(result.Verdict.Kind.IsHang());
    }

    [Theory]
    [InlineData(CollectionFaultKind.WrongBucket)]
    [InlineData(CollectionFaultKind.ChainCycle)]
    public void Damage_that_nobody_is_at_is_a_warning(CollectionFaultKind fault)
        => Assert.Equal(Severity.Warning, Assert.Single(Triage.Judge(Process(fault).Build()).Findings).Severity);

    [Fact]
    public void One_exception_that_was_handled_does_not_make_a_thread_that_has_the_table_stuck()
    {
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle);
        builder.Tables.Use(Table, 1, isInside: false);
        builder.Tables.Errors(1);

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(builder.Build()).Verdict.Kind);
    }

    [Fact]
    public void Two_readers_in_circles_are_no_concurrent_use()
    {
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle);
        builder.Tables.Use(Table, 1, isInside: true);
        builder.Tables.Use(Table, 2, isInside: true);

        Assert.DoesNotContain(Triage.Judge(builder.Build()).Findings, finding => finding.Rule.Id == "HT5002");
    }

    [Fact]
    public void Facts_survive_being_written()
    {
        SnapshotBuilder builder = Process(CollectionFaultKind.ChainCycle);
        builder.Tables.Use(Table, 1, isInside: true);
        using MemoryStream file = new();
        FactsFile.Write(Case.Of(builder.Build()), file);
        file.Position = 0;

        CollectionFacts table = Assert.Single(FactsFile.Read(file).Last.Managed!.Value.Collections!.Value.Noteworthy);
        Assert.Equal(builder.Tables.Build().Noteworthy[0].Faults, table.Faults);
        Assert.Equal(builder.Tables.Build().Noteworthy[0].Uses, table.Uses);
    }

    private static SnapshotBuilder Process(CollectionFaultKind fault)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, Cpu(10), "App.Cache.Find").Thread(2, Cpu(20), "App.Cache.Find");
        builder.Tables.Add(Table, "System.Collections.Generic.Dictionary<App.Key, App.Item>", fault);
        return builder;
    }

    private static ThreadOptions Cpu(int seconds) => new() { Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero) };
}
