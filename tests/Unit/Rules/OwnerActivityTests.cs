using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>What the thread at the end of a wait chain does.</summary>
public sealed class OwnerActivityTests
{
    private static readonly CpuTime s_much = new(TimeSpan.FromMinutes(50), TimeSpan.Zero);

    [Theory]
    [InlineData("ntdll!NtYieldExecution", true, nameof(OwnerDoing.Spins), Confidence.Likely)]
    [InlineData("ntdll!NtYieldExecution", false, nameof(OwnerDoing.Unknown), Confidence.Possible)]
    [InlineData("ntdll!NtYieldExecution", null, nameof(OwnerDoing.Unknown), Confidence.Possible)]
    [InlineData("app!recount", true, nameof(OwnerDoing.Computes), Confidence.Likely)]
    [InlineData("app!recount", null, nameof(OwnerDoing.Computes), Confidence.Possible)]
    [InlineData("app!recount", false, nameof(OwnerDoing.Unknown), Confidence.Possible)]
    [InlineData("ntdll!NtReadFile", true, nameof(OwnerDoing.Waits), Confidence.Likely)]
    [InlineData("ntdll!NtWaitForSingleObject", null, nameof(OwnerDoing.Waits), Confidence.Likely)]
    [InlineData("app!", true, nameof(OwnerDoing.Unknown), Confidence.Possible)]
    public void Stack_and_CPU_tell_what_an_owner_does(string top, bool? isBusy, string doing, Confidence confidence)
    {
        OwnerActivity activity = Of(new ThreadOptions { Cpu = isBusy is null ? null : isBusy.Value ? s_much : new CpuTime(TimeSpan.Zero, TimeSpan.Zero) }, top);

        Assert.Equal((doing, confidence), (activity.Doing.ToString(), activity.Confidence));
        Assert.NotEmpty(activity.Reason);
    }

    [Fact]
    public void The_evidence_names_the_loop_and_the_CPU()
    {
        Known<LoopFacts> loop = Known.Derived(new LoopFacts(new Address(0x1000), new Address(0x101f), 9, false, 0));

        OwnerActivity activity = Of(new ThreadOptions { Cpu = s_much, Loop = loop }, "busy!recount");

        Assert.Equal(
            ["thread 0 (0x7) is in a loop of 9 instructions (0x1000-0x101f)", "thread 0 (0x7) has used 50m 0s of CPU in the 1h 0m 0s since it started (83 % of one core): 3,000 s user, 0 s kernel"],
            activity.Evidence.Select(item => item.Claim));
    }

    [Theory]
    [InlineData(0, nameof(OwnerDoing.Computes))]
    [InlineData(200, nameof(OwnerDoing.Unknown))]
    public void On_a_crowded_machine_an_owner_with_little_of_a_core_computes_if_it_has_all_the_CPU_of_its_process(double others, string doing)
    {
        RuleContext context = new(SnapshotBuilder.Windows()
            .Thread(7, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromMinutes(12), TimeSpan.Zero) }, "busy!recount")
            .Thread(8, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromSeconds(others), TimeSpan.Zero) }, "app!other").Build());

        Assert.Equal(doing, OwnerActivity.Of(context.Threads[0], context).Doing.ToString());
    }

    private static OwnerActivity Of(ThreadOptions options, string top)
    {
        RuleContext context = new(SnapshotBuilder.Windows().Thread(7, options, top, "app!main").Build());
        return OwnerActivity.Of(context.Threads[0], context);
    }
}
