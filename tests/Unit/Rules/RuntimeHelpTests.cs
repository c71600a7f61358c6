using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Threads for which the runtime does something at this moment, which the system sees waiting.</summary>
public sealed class RuntimeHelpTests
{
    [Theory]
    [InlineData("[DynamicHelperFrame]", "App.Pages.Load", VerdictKind.NotHung)]
    [InlineData("[DynamicHelperFrame]", "App.Settings..cctor", VerdictKind.Inconclusive)]
    [InlineData("[DynamicHelperFrame]", "System.Runtime.Loader.AssemblyLoadContext.ResolveUsingEvent", VerdictKind.Inconclusive)]
    [InlineData("[PrestubMethodFrame]", "App.Pages.Load", VerdictKind.NotHung)]
    [InlineData("[PrestubMethodFrame]", "App.Settings..cctor", VerdictKind.Inconclusive)]
    [InlineData("[InlinedCallFrame]", "App.Pages.Load", VerdictKind.Inconclusive)]
    public void A_thread_that_code_has_look_something_up_is_at_work_unless_that_may_wait_for_code_of_the_program(
        string marker, string other, VerdictKind expected)
    {
        SnapshotBuilder builder = Planner(marker).Thread(3, other, "App.Program.Serve");

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 2, "futex")).Verdict.Kind);
    }

    [Theory]
    [InlineData("[RedirectedThreadFrame]")]
    [InlineData("[ResumableFrame]")]
    [InlineData("[HijackFrame]")]
    [InlineData("[InlinedCallFrame]", "System.Threading.Thread.<PollGC>g__PollGCWorker|67_0")]
    public void A_thread_that_is_held_for_a_collection_is_at_work_and_no_suspect(params string[] frames)
    {
        Verdict verdict = Triage.Judge(SystemCalls.With(Planner(frames).Build(), 2, "futex")).Verdict;

        Assert.Equal((VerdictKind.NotHung, 0), (verdict.Kind, verdict.Suspects.Count));
    }

    [Theory]
    [InlineData("read")]
    [InlineData("clock_nanosleep")]
    [InlineData("sched_yield")]
    public void To_make_room_the_runtime_reads_how_much_there_is_and_sleeps_for_a_moment(string systemCall)
    {
        Verdict verdict = Triage.Judge(SystemCalls.With(Planner("[DynamicHelperFrame]").Build(), 2, systemCall)).Verdict;

        Assert.Equal((VerdictKind.NotHung, 0), (verdict.Kind, verdict.Suspects.Count));
    }

    private static SnapshotBuilder Planner(params string[] frames)
        => SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "App.Program.Main")
            .Thread(2, [.. frames, "App.Planner.Shake", "App.Planner.Solve"])
            .Joins(1, 2);
}
