using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A question that is asked, and waited for, where its answers come in one after the other.</summary>
public sealed class OwnGiverTests
{
    [Fact]
    public void The_only_method_that_ends_the_wait_is_in_it_and_both_are_named()
    {
        Verdict verdict = Triage.Judge(MoverCases.AskingItself().Build()).Verdict;

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Client.AskAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("Client.OnMessage", StringComparison.Ordinal)
            && evidence.Claim.Text.Contains("Link.ReceiveLoop", StringComparison.Ordinal));
    }

    [Fact]
    public void Work_under_way_that_may_end_the_wait_goes_before()
        => Assert.Equal(
            VerdictKind.NotHung,
            Triage.Judge(WithOwn(MoverCases.Worked().Build())).Verdict.Kind);

    private static ProcessSnapshot WithOwn(ProcessSnapshot snapshot) => snapshot with
    {
        Managed = snapshot.Managed!.Select(managed => managed with
        {
            Flows = managed.Flows!.Select(flows => flows with
            {
                Groups =
                [
                    .. flows.Groups.Select(group => group.Waits.Reach is not { } reach ? group : group with
                    {
                        Waits = group.Waits with { Reach = reach with { OwnGiver = new OwnGiver("Shop.Client.OnMessage", "Link.Loop") } },
                    }),
                ],
            }),
        }),
    };
}
