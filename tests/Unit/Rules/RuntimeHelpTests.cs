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
    [InlineData("[InlinedCallFrame]", "App.Pages.Load", VerdictKind.Inconclusive)]
    public void A_thread_that_code_has_look_something_up_is_at_work_unless_that_may_wait_for_code_of_the_program(
        string marker, string other, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "App.Program.Main")
            .Thread(2, marker, "App.Planner.Shake", "App.Planner.Solve")
            .Thread(3, other, "App.Program.Serve")
            .Joins(1, 2);

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 2, "futex")).Verdict.Kind);
    }
}
