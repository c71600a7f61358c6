using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread works under a lock at what may never end, and one other waits.</summary>
public sealed class OpenWorkTests
{
    private const string Walk = "Shop.Categories.DepthOf";
    private const string Match = "System.Text.RegularExpressions.RegexInterpreter.TryMatchAtCurrentPosition";

    private static readonly LockId s_gate = SnapshotBuilder.Monitor(0x1000);

    [Theory]
    [InlineData(Walk, true, VerdictKind.Inconclusive)]
    [InlineData(Walk, false, VerdictKind.BusyNotHung)]
    [InlineData(Match, false, VerdictKind.Inconclusive)]
    public void Without_processor_times_nobody_knows_whether_it_ends(string top, bool isOpen, VerdictKind expected)
    {
        Verdict verdict = Triage.Judge(Of(top, isOpen, cpuSeconds: null)).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.Inconclusive, verdict.Title.Text.Contains("and whether it makes progress is unknown", StringComparison.Ordinal));
        Assert.Equal(isOpen, verdict.Title.Text.Contains("is in a loop of Categories.DepthOf that need not end", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(Walk, true, VerdictKind.BusyOwner)]
    [InlineData(Walk, false, VerdictKind.BusyNotHung)]
    [InlineData(Match, false, VerdictKind.BusyOwner)]
    public void With_processor_times_one_waiter_is_enough(string top, bool isOpen, VerdictKind expected)
        => Assert.Equal(expected, Triage.Judge(Of(top, isOpen, cpuSeconds: 300)).Verdict.Kind);

    [Fact]
    public void A_lock_that_changes_hands_is_not_held_on()
        => Assert.Equal(VerdictKind.BusyNotHung, Triage.Judge(Of(Walk, isOpen: true, cpuSeconds: null, hasWokenWaiter: true)).Verdict.Kind);

    [Theory]
    [InlineData(true, VerdictKind.BusyNotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_crowd_behind_a_loop_that_ends_for_certain_is_served_in_the_end(bool isLimited, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, new ThreadOptions { Cpu = null }, Walk, "Shop.Categories.Move", "Shop.Program.Run")
            .Lock(s_gate, 1);
        for (uint waiter = 2; waiter < 2 + Thresholds.Crowd; waiter++)
        {
            builder = builder
                .Thread(waiter, new ThreadOptions { Cpu = null }, "System.Threading.Monitor.Enter_Slowpath", "Shop.Categories.Get")
                .Waits(waiter, s_gate);
        }

        ProcessSnapshot snapshot = builder.Build();
        LockedLoopFacts[] loops = isLimited ? [new LockedLoopFacts { Thread = new ThreadId(1), Method = Walk, IsLimited = true }] : [];
        Verdict verdict = Triage.Judge(snapshot with
        {
            Managed = Known.Read(snapshot.Managed!.Value with { LockedLoops = Known.Derived<IReadOnlyList<LockedLoopFacts>>(loops) }),
        }).Verdict;

        Assert.Equal(expected, verdict.Kind);
    }

    [Theory]
    [InlineData(5.0, VerdictKind.BusyNotHung)]
    [InlineData(null, VerdictKind.Inconclusive)]
    public void A_match_that_was_given_a_limit_ends_by_that(double? seconds, VerdictKind expected)
    {
        ProcessSnapshot snapshot = Of(Match, isOpen: false, cpuSeconds: null);
        WorkFacts work = new()
        {
            Thread = new ThreadId(1),
            Ip = new Address(0x1000),
            Frames = [SnapshotBuilder.WorkFrame("Shop.Categories.Move", "state")],
            MatchLimit = seconds is { } limit ? TimeSpan.FromSeconds(limit) : null,
        };

        Verdict verdict = Triage.Judge(snapshot with
        {
            Managed = Known.Read(snapshot.Managed!.Value with { Work = Known.Derived<IReadOnlyList<WorkFacts>>([work]) }),
        }).Verdict;

        Assert.Equal(expected, verdict.Kind);
    }

    [Theory]
    [InlineData("Zip.Sorter.Sort", null, VerdictKind.BusyNotHung)]
    [InlineData("Zip.Sorter.Sort", "Shop.Categories.Move", VerdictKind.Inconclusive)]
    [InlineData("Jint.Runtime.Interpreter.JintWhileStatement.ExecuteInternal", null, VerdictKind.Inconclusive)]
    [InlineData("Shop.Categories.DepthOf", null, VerdictKind.Inconclusive)]
    public void Loops_of_libraries_end_but_of_those_that_run_what_they_are_given(string top, string? around, VerdictKind expected)
    {
        ProcessSnapshot snapshot = Of(top, isOpen: true, cpuSeconds: null);
        LockedLoopFacts loop = new() { Thread = new ThreadId(1), Method = top, Around = around is null ? null : [around] };

        Verdict verdict = Triage.Judge(WithSources(snapshot) with
        {
            Managed = Known.Read(snapshot.Managed!.Value with { LockedLoops = Known.Derived<IReadOnlyList<LockedLoopFacts>>([loop]) }),
        }).Verdict;

        Assert.Equal(expected, verdict.Kind);
    }

    private static ProcessSnapshot WithSources(ProcessSnapshot snapshot)
        => snapshot with
        {
            Threads = Known.Read<IReadOnlyList<ThreadFacts>>(
            [
                .. snapshot.Threads.Value.Select(thread => thread with
                {
                    Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(WithSource)] },
                }),
            ]),
        };

    private static FrameFacts WithSource(FrameFacts frame)
        => frame.Method?.StartsWith("Shop.", StringComparison.Ordinal) == true
            ? frame with { Source = new SourceLine("Shop.cs", 7) }
            : frame;

    private static ProcessSnapshot Of(string top, bool isOpen, double? cpuSeconds, bool hasWokenWaiter = false)
    {
        ThreadOptions Used(double share) => new() { Cpu = cpuSeconds is { } used ? new CpuTime(TimeSpan.FromSeconds(used * share), TimeSpan.Zero) : null, Life = cpuSeconds is null ? null : TimeSpan.FromSeconds(310) };
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, Used(1), [.. top == Match ? ["System.Runtime.CompilerServices.CastHelpers.LdelemaRef"] : Array.Empty<string>(), top, "Shop.Categories.Move", "Shop.Program.Run"])
            .Thread(2, Used(0), "System.Threading.Monitor.Enter_Slowpath", "Shop.Categories.Get", "Shop.Program.Serve")
            .Lock(s_gate, 1).Waits(2, s_gate).Build();
        ManagedFacts managed = snapshot.Managed!.Value;
        return snapshot with
        {
            Managed = Known.Read(managed with
            {
                LockedLoops = Known.Derived<IReadOnlyList<LockedLoopFacts>>(
                    isOpen ? [new LockedLoopFacts { Thread = new ThreadId(1), Method = Walk }] : []),
                Locks = Known.Read<IReadOnlyList<LockFacts>>([.. managed.Locks.Value.Select(@lock => @lock with { HasWokenWaiter = hasWokenWaiter })]),
            }),
        };
    }
}
